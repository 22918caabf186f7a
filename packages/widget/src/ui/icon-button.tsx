import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';

type Props = Pick<ButtonHTMLAttributes, 'type' | 'disabled' | 'onClick'> & {
  name: string;
  /** How it stands out, if it does. */
  look?: 'quiet' | 'accent' | '';
  /** The mark. */
  children: ComponentChildren;
};

/** A round button with a mark, and its name for whoever does not know the mark. */
export const IconButton = ({ name, look = 'quiet', ...rest }: Props) => (
  <button type="button" class={`round ${look}`} aria-label={name} title={name} {...rest} />
);
