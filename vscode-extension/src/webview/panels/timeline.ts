/** The page of the panel Timeline. */
import type { ToPanel } from '../../panels/messages';
import { frame } from '../common/bridge';
import { h } from '../common/dom';

const { body } = frame(receive);
body.classList.add('timeline', 'scrolls');

function receive(message: ToPanel): void {
  if (message.type === 'timeline') {
    body.replaceChildren(h('pre', {}, JSON.stringify(message.timeline, null, 1)));
  }
}
