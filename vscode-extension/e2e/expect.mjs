// Assertions about what comes to be true.

/** Waits until `check` holds; fails with what was there instead. */
export async function expect(what, check, timeout = 60_000, instead = async () => '') {
  const end = Date.now() + timeout;
  for (;;) {
    if (await check().catch(() => false)) {
      return;
    }
    if (Date.now() > end) {
      const there = await instead().catch((error) => String(error));
      throw new Error(`not within ${timeout / 1000} s: ${what}${there ? `\n--- there is:\n${String(there).slice(0, 3000)}` : ''}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}
