import type { HttpToolSettings } from '@parley/protocol/settings/http-tool';
import { parseExactJson } from '@parley/protocol/exact-json';
import type { Egress, EgressAnswer, EgressFailure } from '../../egress/egress.ts';
import { argumentsProblem } from '../schema/arguments-schema.ts';
import { fillRequest, type HttpRequest, requestPlaceholders } from './http-request.ts';
import { createRedactor, type Redactor } from '../redact.ts';
import { requestTemplate } from './secret-values.ts';
import { type Arguments, UnusableArgument, isOfVisitor, withVisitor } from './template.ts';
import { toolFingerprint } from './tool-fingerprint.ts';
import type { ServerTool, ToolDelivery, ToolOutcome } from '../tool.ts';
import type { VisitorHeader } from './visitor-header.ts';

const MAX_EXCERPT = 500;

/** A tool of the tenant's own, reached over HTTP. `settings` carry their header values opened. */
export function httpTool({
  settings,
  egress,
  tenantId,
  visitorHeader,
}: {
  settings: HttpToolSettings;
  egress: Pick<Egress, 'request'>;
  tenantId: string;
  visitorHeader: VisitorHeader;
}): ServerTool<ToolOutcome> {
  const { name, description, parameters, interfaces, approval, visibility, timeoutMs } = settings;
  const { template: request, secrets } = requestTemplate(settings.request);
  const idempotent = settings.idempotent ?? (request.method === 'GET' || request.method === 'HEAD');
  const redactor = createRedactor(request.headers ?? {}, secrets);
  const needsVisitor = requestPlaceholders(request).some(isOfVisitor);
  // Only calls need it, and most turns make none.
  let fingerprint: string | undefined;

  const prepare = (
    input: unknown,
    visitor: string | null,
  ): { ok: true; filled: HttpRequest } | { ok: false; message: string } => {
    const wrong = argumentsProblem(parameters, input);
    if (wrong !== undefined) return { ok: false, message: wrong };
    try {
      return { ok: true, filled: fillRequest(request, withVisitor(input as Arguments, visitor)) };
    } catch (error) {
      if (error instanceof UnusableArgument)
        return { ok: false, message: `The arguments are not valid: ${error.message}.` };
      throw error;
    }
  };

  const visitorHeaders = async (
    { visitor, session, callId }: ToolDelivery,
    url: string,
  ): Promise<Record<string, string>> => {
    const { name: headerName, secret } = visitorHeader;
    if (visitor === null || secret === null) return {};
    const { signVisitorHeader } = await import('./visitor-header.ts');
    const call = { visitor, session, callId, url };
    return { [headerName]: await signVisitorHeader(visitorHeader, secret, call) };
  };

  return {
    name,
    description,
    parameters,
    executor: 'server',
    interfaces,
    approval,
    approvalExpiresAfterMs: settings.approvalExpiresAfterMs ?? null,
    idempotent,
    visibility,
    timeoutMs,
    get fingerprint() {
      return (fingerprint ??= toolFingerprint(settings));
    },
    invalid(input) {
      // The visitor is known when the call is made; the arguments can be judged before.
      const prepared = prepare(input, anybody);
      return prepared.ok ? undefined : prepared.message;
    },
    async execute(input, delivery) {
      const { idempotencyKey, signal, visitor } = delivery;
      if (needsVisitor && visitor === null) return visitorUnknown;
      const prepared = prepare(input, visitor);
      if (!prepared.ok) return { ok: false, code: 'INVALID_ARGUMENTS', message: prepared.message };
      const { url, headers, body } = prepared.filled;
      // Settings stored before the header's name was reserved may have it; its value comes from the session only.
      delete headers[visitorHeader.name];
      const signed = await visitorHeaders(delivery, url);
      const answer = await egress.request({
        tenantId,
        method: request.method,
        url,
        headers: {
          accept: 'application/json, text/*;q=0.9',
          ...headers,
          ...signed,
          'idempotency-key': idempotencyKey,
        },
        body,
        timeoutMs,
        signal,
      });
      if (answer.outcome === 'answer') {
        const { name: headerName } = visitorHeader;
        const hides =
          headerName in signed ? createRedactor({ ...request.headers, ...signed }, secrets) : redactor;
        return answered(answer, hides, !idempotent && mayHaveRun(answer));
      }
      const doubt = !idempotent && mayHaveRun(answer) ? ' The call may have taken effect.' : '';
      return { ok: false, code: CODES[answer.outcome], message: `${answer.message}${doubt}` };
    },
  };
}

/** Stands in for the visitor where a request is only checked. */
const anybody = 'visitor';

const visitorUnknown: ToolOutcome = {
  ok: false,
  code: 'VISITOR_UNKNOWN',
  message: 'The call was not made: it is about the visitor’s own account, and the visitor is not signed in.',
};

const CODES = {
  denied: 'REFUSED',
  redirect: 'REDIRECTED',
  'content-type': 'UNREADABLE',
  'too-large': 'TOO_LARGE',
  timeout: 'TIMEOUT',
  network: 'UNREACHABLE',
  aborted: 'CANCELLED',
} as const satisfies Record<EgressFailure['outcome'], string>;

/**
 * Whether a call that has failed may have done its work: what was answered could not be read, leads elsewhere, as after a
 * form, or comes from a gateway that did not wait for the end of it.
 */
const mayHaveRun = (answer: EgressAnswer | EgressFailure): boolean =>
  'sent' in answer ? answer.sent : 'status' in answer && (answer.status < 400 || answer.status >= 500);

function answered(
  { status, contentType, text }: EgressAnswer,
  redactor: Redactor,
  isInDoubt: boolean,
): ToolOutcome {
  const output = read(contentType, text, redactor);
  if (status >= 200 && status < 300) return { ok: true, output };
  const excerpt = /^text\/html\b/i.test(contentType) ? '' : excerptOf(output);
  const said = `The tool answered ${status}${isInDoubt ? ', and the call may have taken effect' : ''}`;
  return { ok: false, code: 'HTTP_STATUS', message: excerpt === '' ? `${said}.` : `${said}: ${excerpt}` };
}

function read(contentType: string, text: string, redactor: Redactor): unknown {
  if (text === '') return null;
  if (!/^[^;]*[/+]json\b/i.test(contentType)) return redactor.text(text);
  try {
    // A long whole number may be an id, and a rounded one names another thing.
    return redactor.json(parseExactJson(text));
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
