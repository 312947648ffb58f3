// Assertions about what comes to be true.

/** PATIENCE=4 waits four times as long, on a machine that has much else to do. */
export const patience = Number(process.env.PATIENCE ?? 1);

/** Waits until `check` holds; fails with what was there instead. */
export async function expect(what, check, timeout = 60_000, instead = async () => '') {
  const end = Date.now() + timeout * patience;
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
