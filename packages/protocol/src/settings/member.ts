import { z } from 'zod';
import { maxTokenLength } from '../bounds.ts';
import { identifier, timestamp, withId } from './field.ts';
import { maxPictureSide, pictureOf } from './picture.ts';
import { secondFactorCode } from './second-factor.ts';
import { writeOnly } from './write-only.ts';

/** Each may do what those before it may. */
export const memberRoles = ['viewer', 'agent', 'admin', 'owner'] as const;
export type MemberRole = (typeof memberRoles)[number];

const role = z
  .enum(memberRoles)
  .describe(
    '`viewer` reads settings and conversations, `agent` also answers visitors, `admin` changes settings too, `owner` also decides who is a member.',
  );
const tenantId = identifier
  .nullable()
  .describe('The tenant whose settings exist for the member; null: every tenant’s.');
const memberName = z.string().trim().min(1).max(200);
/** In the list of members and in the log nobody can look like somebody else by what cannot be seen. */
const newMemberName = memberName.regex(
  /^[^\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u,
  'Expected no invisible characters.',
);
const newPassword = writeOnly(
  z.string().min(12, 'Expected at least 12 characters.').max(200, 'Expected at most 200 characters.'),
);
/** Of what is typed at the door nothing is said but whether it opens. */
const password = writeOnly(z.string().min(1).max(200));

export const memberViewSchema = z.strictObject({
  ...withId,
  tenantId,
  name: memberName,
  role,
  secondFactor: z.boolean().describe('Whether a password alone does not sign them in.'),
});
export const memberPatchSchema = z.strictObject({ role: role.optional() });

export const invitationCreateSchema = z.strictObject({ tenantId, role });
/** `token`: in the answer to create only. */
export const invitationViewSchema = z.strictObject({
  ...withId,
  tenantId,
  role,
  expiresAt: timestamp,
  token: z.string().max(maxTokenLength).optional(),
});
export const invitationTokenSchema = z.strictObject({ token: z.string().min(1).max(maxTokenLength) });
export const invitationOfferSchema = z.strictObject({
  organisation: z
    .string()
    .nullable()
    .describe('The name of the tenant whose settings exist for the new member; null: every tenant’s.'),
  role,
  expiresAt: timestamp,
});
export const invitationAcceptSchema = z.strictObject({
  token: z.string().min(1).max(maxTokenLength),
  name: newMemberName.describe('What the member signs in with, whatever the case of its letters.'),
  password: newPassword,
});

export const signInSchema = z.strictObject({
  name: memberName,
  password,
  code: secondFactorCode.optional().describe('What the member’s second factor asks for.'),
});
export const passwordChangeSchema = z.strictObject({ password, newPassword });
/** No SVG: it is served at an address of the service, where one could be opened as a page. */
export const memberPictureSchema = z.strictObject({
  picture: pictureOf('png', 'jpeg', 'webp', 'avif')
    .nullable()
    .describe(
      `What visitors see beside what the member writes, as a \`data:\` address, of ${maxPictureSide} pixels a side at most; null: their initials.`,
    ),
});
export const consoleSessionViewSchema = z.strictObject({
  ...withId,
  lastUsedAt: timestamp,
  expiresAt: timestamp,
  current: z.boolean().describe('Whether it is the one that asks.'),
});

export type MemberView = z.infer<typeof memberViewSchema>;
export type MemberPatch = z.infer<typeof memberPatchSchema>;
export type InvitationCreate = z.infer<typeof invitationCreateSchema>;
export type InvitationView = z.infer<typeof invitationViewSchema>;
export type InvitationOffer = z.infer<typeof invitationOfferSchema>;
export type MemberPictureView = z.infer<typeof memberPictureSchema>;
export type ConsoleSessionView = z.infer<typeof consoleSessionViewSchema>;
