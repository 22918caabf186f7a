import type { ToolTestView } from '@parley/protocol/settings/tool-trial';
import { Code } from '../ui/code.tsx';
import { duration } from '../ui/duration.ts';
import { isObject, type Json, printJson } from './json.ts';

/** Characters of what the model sees that are shown here. */
const maxShown = 20_000;

export function TrialResult({ result }: { readonly result: ToolTestView }) {
  const { status, durationMs, request, response, output } = result;
  const took = duration(durationMs);
  return (
    <div class="tool-result">
      <p class={status === 'completed' ? 'notice' : 'notice problem'}>
        {status === 'completed'
          ? `It answered ${response?.status ?? ''} after ${took}.`
          : `It failed after ${took}. ${messageOf(output)}`}
      </p>
      {request && (
        <section>
          <h2>What was sent</h2>
          <Code
            label="What was sent"
            text={`${request.method} ${request.url}\n${lines(request.headers)}${request.body === null ? '' : `\n\n${pretty(request.body)}`}`}
          />
        </section>
      )}
      {response && (
        <section>
          <h2>What came back</h2>
          <Code
            label="What came back"
            text={`${response.status}\n${lines(response.headers)}\n\n${pretty(response.body)}${response.cut ? '\n… and more' : ''}`}
          />
        </section>
      )}
      <section>
        <h2>What the agent sees</h2>
        <Code label="What the agent sees" text={seen(status, output)} />
      </section>
    </div>
  );
}

const lines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

function pretty(text: string): string {
  try {
    return printJson(JSON.parse(text));
  } catch {
    return text;
  }
}

function messageOf(output: unknown): string {
  return isObject(output) && typeof output['message'] === 'string' ? output['message'] : '';
}

function seen(status: ToolTestView['status'], output: unknown): string {
  const text = status === 'failed' ? messageOf(output) : textOf(output as Json);
  return text.length > maxShown ? `${text.slice(0, maxShown)}\n… and more` : text;
}

const textOf = (output: Json): string => (typeof output === 'string' ? output : printJson(output));
