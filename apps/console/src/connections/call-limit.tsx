import { Field } from '../ui/field.tsx';

const most = 6_000;

interface CallLimitProps {
  readonly error: string | undefined;
  readonly control: object;
}

/** How much a connection is used at most. */
export const CallLimit = ({ error, control }: CallLimitProps) => (
  <Field
    label="Calls a minute"
    hint="Of all its tools together, of every visitor. A call beyond them is not made, and the agent is told when to try again."
    error={error}
  >
    <input type="text" inputMode="numeric" maxLength={4} autoComplete="off" {...control} />
  </Field>
);

export const callLimitProblem = (entered: string): Record<string, string> =>
  /^[1-9]\d*$/.test(entered) && Number(entered) <= most
    ? {}
    : { callsPerMinute: `Enter a number from 1 to ${most}.` };
