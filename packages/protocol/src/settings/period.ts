import { z } from 'zod';

/** A day of UTC. */
export const day = z.iso.date();
