// What a person does and sees in VS Code, on a page of playwright.
import path from 'node:path';
import { expect, patience } from './expect.mjs';

/** Monaco shows blanks as no-break spaces. */
const plain = (text) => text.replace(/\u00a0/g, ' ');
const WAIT = 60_000 * patience;

export class Editor {
  constructor(page, url) {
    this.page = page;
    this.url = url;
  }

  async open(folder, parameter = 'folder') {
    await this.page.goto(`${this.url}/?${parameter}=${encodeURIComponent(folder)}`, { waitUntil: 'domcontentloaded' });
    await this.page.waitForSelector('.explorer-folders-view .monaco-list-row', { timeout: WAIT });
  }

  /** Opens a file by name through the quick-open box. */
  async file(name) {
    await this.quickInput('Control+P', name);
    await this.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: path.basename(name) }).first().waitFor({ timeout: WAIT });
    await this.page.keyboard.press('Enter');
    await this.page.waitForSelector('.monaco-editor .view-line', { timeout: WAIT });
  }

  /** Types into the box that a key opens. The one before may just be closing, and take the key with it. */
  async quickInput(key, text) {
    const box = this.page.locator('.quick-input-box input');
    for (let tries = 0; ; tries++) {
      await this.page.keyboard.press(key);
      try {
        await this.page.waitForTimeout(100);
        await box.fill(text, { timeout: 5000 });
        return;
      } catch (error) {
        if (tries > 5) throw error;
      }
    }
  }

  /** Runs a command by its title in the palette. */
  async command(title) {
    await this.quickInput('F1', `>${title}`);
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click();
  }

  /** Chooses an item of an open quick pick. */
  async pick(text) {
    const row = this.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
    await row.waitFor({ timeout: WAIT });
    await row.click();
  }

  async text(selector = '.monaco-editor .view-lines') {
    const texts = await this.page.locator(selector).allInnerTexts();
    return plain(texts.join('\n'));
  }

  /** Waits until the editor, hints included, shows a text. */
  async shows(text, timeout = WAIT) {
    await expect(`the editor shows ${JSON.stringify(String(text))}`, async () => matches(await this.text(), text), timeout, () => this.text());
  }

  async lacks(text, timeout = WAIT) {
    await expect(`the editor does not show ${JSON.stringify(String(text))}`, async () => !matches(await this.text(), text), timeout, () => this.text());
  }

  async status(text, timeout = WAIT) {
    const item = this.page.locator('.statusbar-item[id="tilescope.tilescope.tilescope.status"]');
    await expect(`the status bar says ${text}`, async () => (await item.count()) > 0 && matches(plain(await item.innerText()), text), timeout, async () => (await item.count() ? item.innerText() : '(no item)'));
  }

  /** Puts the cursor on a line, by Go to Line. */
  async line(number, column = 1) {
    await this.focus();
    await this.page.keyboard.press('Control+G');
    await this.page.locator('.quick-input-box input').fill(`:${number}:${column}`);
    await this.page.keyboard.press('Enter');
  }

  /** Gives the text editor the focus. */
  async focus() {
    await this.command('View: Focus First Editor Group');
  }

  /** The line number of the cursor. The status bar tells it only while the editor has the focus. */
  async cursorLine() {
    return Number(await this.page.locator('.line-numbers.active-line-number').first().innerText({ timeout: 2000 }));
  }

  notification(text) {
    return this.page.locator('.notification-list-item, .notification-toast', { hasText: text }).first();
  }

  async dismiss() {
    await this.command('Notifications: Clear All Notifications');
  }

  /** The content of a webview panel, by the title of its tab. */
  async panel(title) {
    await this.page.locator('.tab', { hasText: title }).first().waitFor({ timeout: WAIT });
    for (let tries = 0; tries < 300 * patience; tries++) {
      for (const frame of this.page.frames()) {
        const found = await frame.evaluate(() => document.title).catch(() => '');
        if (found === title.split(':')[0] && (await frame.locator('#app').count().catch(() => 0)) > 0 && (await visible(frame))) {
          return frame;
        }
      }
      await this.page.waitForTimeout(100);
    }
    throw new Error(`there is no page of the panel ${title}`);
  }

  async closeOthers() {
    await this.command('View: Close All Editors');
  }

  async shot(file) {
    await this.page.waitForTimeout(800); // Decorations settle.
    await this.page.screenshot({ path: file });
  }
}

async function visible(frame) {
  const element = await frame.parentFrame()?.frameElement().catch(() => null);
  return (await element?.isVisible().catch(() => false)) ?? false;
}

function matches(text, wanted) {
  return wanted instanceof RegExp ? wanted.test(text) : text.includes(wanted);
}
