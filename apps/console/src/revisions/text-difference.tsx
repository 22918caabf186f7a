import { textParts } from './text-parts.ts';

interface TextDifferenceProps {
  readonly before: string;
  readonly after: string;
}

/** A long text once, with what went and what came. */
export const TextDifference = ({ before, after }: TextDifferenceProps) => (
  <p class="difference">
    {textParts(before, after).map(({ kind, text }, index) => {
      if (kind === 'added') return <ins key={index}>{text}</ins>;
      if (kind === 'removed') return <del key={index}>{text}</del>;
      return <span key={index}>{text}</span>;
    })}
  </p>
);
