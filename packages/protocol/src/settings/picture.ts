import { z } from 'zod';

const maxLength = 24_000;
/** Pixels in either direction: each takes a browser four bytes. */
export const maxPictureSide = 1_024;

/** A small square picture as a `data:` address of one of these types: it is stored, and checked, with the settings. */
export const pictureOf = (...types: readonly string[]) =>
  z
    .string()
    .max(maxLength)
    .regex(
      new RegExp(`^data:image/(?:${types.join('|').replaceAll('+', '\\+')});base64,[A-Za-z0-9+/]+={0,2}$`),
      `Expected a picture as data:image/png;base64,… of at most ${maxLength.toLocaleString('en')} characters.`,
    )
    .describe(
      `A picture as a \`data:\` address, of at most ${maxPictureSide} pixels a side. One that is square and has 112 or more of them looks best.`,
    );
