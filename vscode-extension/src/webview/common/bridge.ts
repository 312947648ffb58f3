/** The page's end of the line to the extension. */
import type { FromPanel, ToPanel } from '../../panels/messages';
import { announce, button, h } from './dom';

const api = acquireVsCodeApi<Record<string, unknown>>();

export function send(message: FromPanel): void {
  api.postMessage(message);
}

/** What the page remembers while it is hidden. */
export function remembered<T>(key: string, otherwise: T): T {
  return (api.getState()?.[key] as T | undefined) ?? otherwise;
}

export function remember(key: string, value: unknown): void {
  api.setState({ ...api.getState(), [key]: value });
}

export interface Frame {
  /** Where the panel draws. */
  body: HTMLElement;
}

/**
 * The frame of every panel: a bar that says what goes on, and below it what `receive` draws. Messages that all panels
 * treat alike do not get to it.
 */
export function frame(receive: (message: ToPanel) => void): Frame {
  const bar = h('div', { class: 'bar', hidden: true });
  const body = h('div', { class: 'body' });
  document.getElementById('app')?.append(bar, body);
  const say = (kind: string, text: string, ...buttons: HTMLButtonElement[]): void => {
    bar.className = `bar ${kind}`;
    bar.replaceChildren(h('span', {}, text), ...buttons);
    bar.hidden = false;
    announce(text);
  };
  window.addEventListener('message', ({ data }: MessageEvent<ToPanel>) => {
    switch (data.type) {
      case 'place':
        remember('place', data.place);
        return;
      case 'busy':
        say('busy', `${data.text}…`);
        return;
      case 'problem':
        say(
          'problem',
          data.text,
          button('Try again', () => { send({ type: 'refresh' }); }),
          ...data.actions.map(({ label, command }) => button(label, () => { send({ type: 'command', command }); })),
        );
        return;
      case 'stale':
        if (data.stale) {
          say('stale', 'The text has changed since this was compiled.', button('Refresh', () => { send({ type: 'refresh' }); }));
        } else if (bar.classList.contains('stale')) {
          bar.hidden = true;
        }
        return;
      case 'cursor':
      case 'touched':
      case 'step':
        receive(data);
        return;
      default:
        if (!bar.classList.contains('stale')) {
          bar.hidden = true;
        }
        receive(data);
    }
  });
  // After the listener: the answer may come at once.
  queueMicrotask(() => { send({ type: 'ready' }); });
  return { body };
}
