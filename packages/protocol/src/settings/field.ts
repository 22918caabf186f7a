import { z } from 'zod';

export const name = z.string().min(1).max(200);
export const identifier = z.string().min(1).max(100);
export const httpUrl = z.url({ protocol: /^https?$/, error: 'Expected an http or https URL.' }).max(2_000);
export const timestamp = z.iso.datetime();
export const withId = { id: identifier, createdAt: timestamp };
