import type { SessionEvent } from '@parley/protocol/event';

/** The cumulative text of the step being read. Feed it every event in order, from the start of a step. */
export class SoFar {
  message = '';
  reasoning = '';
  #reasoningOpen = false;

  apply(event: SessionEvent): void {
    switch (event.type) {
      case 'step.started':
        this.message = this.reasoning = '';
        this.#reasoningOpen = false;
        break;
      case 'message.appended':
        this.message += event.data.messageDelta;
        break;
      case 'reasoning.appended':
        this.reasoning = (this.#reasoningOpen ? this.reasoning : '') + event.data.reasoningDelta;
        this.#reasoningOpen = true;
        break;
      case 'reasoning.completed':
        this.#reasoningOpen = false;
        break;
    }
  }
}
