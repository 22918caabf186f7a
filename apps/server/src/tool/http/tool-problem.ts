import type { Issue as ProblemIssue } from '@parley/protocol/problem';
import type { HttpToolSettings } from '@parley/protocol/settings/http-tool';
import { toolNameSchema } from '@parley/protocol/settings/tool-name';
import { isSendableHeader } from '../../egress/header-name.ts';
import { builtInTools } from '../built-in-tools.ts';
import { parametersProblem } from '../schema/arguments-schema.ts';
import { requestPlaceholders, splitUrl } from './http-request.ts';
import { requestTemplate } from './secret-values.ts';
import { type Json, isOfVisitor, visitorId } from './template.ts';

function hasPlaceholder(text: string): boolean {
  return text.includes('{{');
}

function jsonKeys(value: Json): string[] {
  if (value === null || typeof value !== 'object') return [];
  const nested = Object.values(value).flatMap((item) => jsonKeys(item));
  return Array.isArray(value) ? nested : [...Object.keys(value), ...nested];
}

function declaredParameters(parameters: Record<string, unknown>): ReadonlySet<string> {
  const { properties } = parameters;
  return new Set(typeof properties === 'object' && properties !== null ? Object.keys(properties) : []);
}

/** What keeps a tool's settings from working, for the administrator who wrote them, or undefined. */
export function toolProblem(
  settings: Pick<
    HttpToolSettings,
    'name' | 'parameters' | 'display' | 'request' | 'approval' | 'approvalExpiresAfterMs'
  >,
  visitorHeader: string,
): ProblemIssue | undefined {
  const { name, parameters, approval, approvalExpiresAfterMs } = settings;
  const { template: request } = requestTemplate(settings.request);
  const named = toolNameSchema.safeParse(name);
  if (!named.success)
    return { path: ['name'], message: named.error.issues[0]?.message ?? 'Expected a name.' };
  if (builtInTools.has(name))
    return {
      path: ['name'],
      message: `${name} is a tool that agents have by themselves. Choose another name.`,
    };

  if (approval === 'never' && approvalExpiresAfterMs !== undefined)
    return {
      path: ['approvalExpiresAfterMs'],
      message: 'A tool without approval has none that could expire. Set approval to once or always.',
    };

  const schemaProblem = parametersProblem(parameters);
  if (schemaProblem !== undefined)
    return { path: ['parameters'], message: `Expected a JSON Schema of an object: ${schemaProblem}.` };

  if (!splitUrl(request.url))
    return {
      path: ['request', 'url'],
      message:
        'Expected an http or https URL with a literal scheme, host and port, without credentials, query or fragment. Placeholders may fill path segments.',
    };
  for (const header of Object.keys(request.headers ?? {})) {
    if (header.toLowerCase() === visitorHeader)
      return {
        path: ['request', 'headers', header],
        message: `The header ${header} is filled from the session, with who the visitor is.`,
      };
    if (!isSendableHeader(header))
      return { path: ['request', 'headers', header], message: `The header ${header} cannot be set.` };
  }
  for (const [header, value] of Object.entries(request.headers ?? {})) {
    if (/[^\t\x20-\x7e\xa0-\xff]/.test(value))
      return {
        path: ['request', 'headers', header],
        message: 'A header value must not contain line breaks or control characters.',
      };
  }
  const queryName = Object.keys(request.query ?? {}).find(hasPlaceholder);
  if (queryName !== undefined)
    return { path: ['request', 'query', queryName], message: 'A placeholder may be a value, not a name.' };
  if (request.body !== undefined) {
    if (request.method === 'GET' || request.method === 'HEAD')
      return { path: ['request', 'body'], message: `A ${request.method} request has no body.` };
    if (jsonKeys(request.body).some(hasPlaceholder))
      return { path: ['request', 'body'], message: 'A placeholder may be a value, not a name.' };
  }
  const declared = declaredParameters(parameters);
  const reserved = [...declared].find(isOfVisitor);
  if (reserved !== undefined)
    return {
      path: ['parameters', 'properties', reserved],
      message: 'visitor.* comes from the session, never from arguments: no parameter may be named so.',
    };
  const unknown = requestPlaceholders(request).find(
    (placeholder) => !declared.has(placeholder) && placeholder !== visitorId,
  );
  if (unknown !== undefined)
    return {
      path: ['request'],
      message: isOfVisitor(unknown)
        ? `{{${unknown}}} is not known: of a visitor there is {{${visitorId}}} only.`
        : `{{${unknown}}} is not one of the parameters.`,
    };
  for (const [language, summary] of Object.entries(settings.display?.summary ?? {})) {
    const missing = [...summary.matchAll(/\{\{([^{}]*)\}\}/g)].find(
      ([, name = '']) => !declared.has(name.trim()),
    );
    if (missing !== undefined)
      return {
        path: ['display', 'summary', language],
        message: `${missing[0]} is not one of the parameters.`,
      };
  }
  return undefined;
}
