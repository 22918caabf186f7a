import { z } from 'zod';
import { maxFieldBytes } from './bounds.ts';

/** Bytes of a value as compact JSON. */
export function jsonSize(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value) ?? '').length;
}

const tooLarge = (maxBytes: number) => `Expected at most ${maxBytes} bytes of JSON.`;
const isWithin = (maxBytes: number) => (value: unknown) => jsonSize(value) <= maxBytes;

/** An object with any members. */
export const boundedObject = z
  .record(z.string(), z.unknown())
  .refine(isWithin(maxFieldBytes), tooLarge(maxFieldBytes))
  .meta({ 'x-maxBytes': maxFieldBytes });

/** A JSON Schema whose instances are objects: what a model can fill in. */
export const objectSchema = z
  .looseObject({ type: z.literal('object') })
  .refine(isWithin(maxFieldBytes), tooLarge(maxFieldBytes))
  .meta({ 'x-maxBytes': maxFieldBytes });

type Json = z.infer<ReturnType<typeof z.json>>;

/** Any JSON value. What was parsed as JSON is nothing else, so that only its size is looked at. */
export function boundedJson(maxBytes: number): z.ZodType<Json, Json> {
  return z
    .unknown()
    .refine((value) => value !== undefined, 'Expected a JSON value.')
    .refine(isWithin(maxBytes), tooLarge(maxBytes))
    .meta({ 'x-maxBytes': maxBytes }) as unknown as z.ZodType<Json, Json>;
}
