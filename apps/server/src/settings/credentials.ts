import {
  type ModelPatch,
  type ModelSettings,
  modelCredentials,
  modelSettingsSchema,
} from '@parley/protocol/settings/model';
import { z } from 'zod';
import type { Secrets } from '../crypto/secrets.ts';
import { parseSecrets } from './parse-secrets.ts';

/** The opened secrets of an agent's model. */
export type Credentials = Readonly<Partial<Record<(typeof modelCredentials)[number], string>>>;

/** Everything secret about an agent. */
export interface AgentSecrets {
  readonly credentials: Credentials;
  /** What its visitors' tokens are signed with; null when none is set. */
  readonly identitySecret: string | null;
  /** Signs the visitor header of tool calls; null: `identitySecret` does. */
  readonly toolSecret: string | null;
}

const credentialsSchema = z.partialRecord(z.enum(modelCredentials), z.string());
const secretsSchema = z.partialRecord(
  z.enum([...modelCredentials, 'identitySecret', 'toolSecret']),
  z.string(),
);

/** A model's settings without its credentials, and these. */
export function splitCredentials(model: ModelSettings): { model: ModelSettings; credentials: Credentials } {
  const entries = Object.entries(model);
  const isSecret = ([name]: [string, unknown]): boolean => modelCredentials.some((secret) => secret === name);
  return {
    model: modelSettingsSchema.parse(Object.fromEntries(entries.filter((entry) => !isSecret(entry)))),
    credentials: credentialsSchema.parse(Object.fromEntries(entries.filter(isSecret))),
  };
}

/**
 * The credentials after a patch of the model. One that is left out is kept, but only for the same provider at the
 * same address: a stored secret never goes to a place it was not entered for.
 */
export function patchedCredentials(
  stored: { readonly model: ModelSettings; readonly credentials: Credentials },
  patch: ModelPatch,
): Credentials {
  const given: Readonly<Record<string, unknown>> = patch;
  const kept = isSamePlace(stored.model, patch) ? stored.credentials : {};
  const entries = modelCredentials.map((name) => [name, name in given ? given[name] : kept[name]]);
  return credentialsSchema.parse(
    Object.fromEntries(entries.filter(([, value]) => typeof value === 'string')),
  );
}

/** Whether both are reached at the same place: what is secret about the one may be shown to the other. */
export function isSamePlace(one: object, other: object): boolean {
  const [a, b]: Readonly<Record<string, unknown>>[] = [{ ...one }, { ...other }];
  return ['provider', 'baseUrl', 'resourceName', 'region'].every((name) => a?.[name] === b?.[name]);
}

export function encryptAgentSecrets(
  secrets: Secrets,
  { credentials, identitySecret, toolSecret }: AgentSecrets,
  agentId: string,
): string | null {
  const plain = {
    ...credentials,
    ...(identitySecret !== null && { identitySecret }),
    ...(toolSecret !== null && { toolSecret }),
  };
  return Object.keys(plain).length === 0
    ? null
    : secrets.encrypt(JSON.stringify(plain), agentContext(agentId));
}

export function decryptAgentSecrets(
  secrets: Secrets,
  encrypted: string | null,
  agentId: string,
): AgentSecrets {
  if (encrypted === null) return { credentials: {}, identitySecret: null, toolSecret: null };
  const opened = parseSecrets(secretsSchema, secrets.decrypt(encrypted, agentContext(agentId)));
  const { identitySecret = null, toolSecret = null, ...credentials } = opened;
  return { credentials, identitySecret, toolSecret };
}

/** What an answer shows of a credential. */
export function credentialView(value: string): { set: true; last4: string } {
  // Four characters of a short secret would be most of it.
  return { set: true, last4: value.length >= 12 ? value.slice(-4) : '' };
}

/** The context that an agent's secrets are encrypted under. */
export const agentContext = (agentId: string): string => `credentials of ${agentId}`;
