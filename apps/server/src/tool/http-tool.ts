import type { ToolSettings } from '@parley/protocol/settings/tool';
import type { Egress, EgressAnswer, EgressRefusal } from '../egress/egress.ts';
import { argumentsProblem } from './arguments-schema.ts';
import { fillRequest, type HttpRequest } from './http-request.ts';
import { createRedactor, type Redactor } from './redact.ts';
import { type Arguments, UnusableArgument } from './template.ts';
import { toolFingerprint } from './tool-fingerprint.ts';
import type { Tool, ToolOutcome } from './tool.ts';

const MAX_EXCERPT = 500;

/** A tool of the tenant's own, reached over HTTP. `settings` carry their header values opened. */
export function httpTool({
  settings,
  egress,
  tenantId,
}: {
  settings: ToolSettings;
  egress: Pick<Egress, 'request'>;
  tenantId: string;
}): Tool {
  const { name, description, parameters, request, approval, visibility, timeoutMs } = settings;
  const idempotent = settings.idempotent ?? (request.method === 'GET' || request.method === 'HEAD');
  const redactor = createRedactor(request.headers ?? {});
  // Only calls need it, and most turns make none.
  let fingerprint: string | undefined;

  const prepare = (input: unknown): { ok: true; filled: HttpRequest } | { ok: false; message: string } => {
    const wrong = argumentsProblem(parameters, input);
    if (wrong !== undefined) return { ok: false, message: wrong };
    try {
      return { ok: true, filled: fillRequest(request, input as Arguments) };
    } catch (error) {
      if (error instanceof UnusableArgument)
        return { ok: false, message: `The arguments are not valid: ${error.message}.` };
      throw error;
    }
  };

  return {
    name,
    description,
    parameters,
    approval,
    approvalExpiresAfterMs: settings.approvalExpiresAfterMs ?? null,
    idempotent,
    visibility,
    timeoutMs,
    get fingerprint() {
      return (fingerprint ??= toolFingerprint(settings));
    },
    invalid(input) {
      const prepared = prepare(input);
      return prepared.ok ? undefined : prepared.message;
    },
    async execute(input, { idempotencyKey, signal }) {
      const prepared = prepare(input);
      if (!prepared.ok) return { ok: false, code: 'INVALID_ARGUMENTS', message: prepared.message };
      const { url, headers, body } = prepared.filled;
      const answer = await egress.request({
        tenantId,
        method: request.method,
        url,
        headers: { accept: 'application/json, text/*;q=0.9', ...headers, 'idempotency-key': idempotencyKey },
        body,
        timeoutMs,
        signal,
      });
      if (answer.outcome === 'answer') return answered(answer, redactor);
      const doubt = 'sent' in answer && answer.sent && !idempotent ? ' The call may have taken effect.' : '';
      return { ok: false, code: CODES[answer.outcome], message: `${answer.message}${doubt}` };
    },
  };
}

const CODES = {
  refused: 'REFUSED',
  redirect: 'REDIRECTED',
  'content-type': 'UNREADABLE',
  'too-large': 'TOO_LARGE',
  timeout: 'TIMEOUT',
  network: 'UNREACHABLE',
  aborted: 'CANCELLED',
} as const satisfies Record<EgressRefusal['outcome'], string>;

function answered({ status, contentType, text }: EgressAnswer, redactor: Redactor): ToolOutcome {
  const output = read(contentType, text, redactor);
  if (status >= 200 && status < 300) return { ok: true, output };
  const excerpt = /^text\/html\b/i.test(contentType) ? '' : excerptOf(output);
  return {
    ok: false,
    code: 'HTTP_STATUS',
    message: excerpt === '' ? `The tool answered ${status}.` : `The tool answered ${status}: ${excerpt}`,
  };
}

function read(contentType: string, text: string, redactor: Redactor): unknown {
  if (text === '') return null;
  if (!/^[^;]*[/+]json\b/i.test(contentType)) return redactor.text(text);
  try {
    return redactor.json(JSON.parse(text));
  } catch (error) {
    // Called JSON but malformed, or nested beyond what can be walked: the call has been made, so its text is the result.
    if (error instanceof SyntaxError || error instanceof RangeError) return redactor.text(text);
    throw error;
  }
}

function excerptOf(output: unknown): string {
  const text = output === null ? '' : typeof output === 'string' ? output : JSON.stringify(output);
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  return line.length > MAX_EXCERPT ? `${line.slice(0, MAX_EXCERPT).toWellFormed()}…` : line;
}
