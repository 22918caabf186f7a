import type { ButtonHTMLAttributes } from 'preact';
import { Icon } from './icon.tsx';

type Props = Pick<ButtonHTMLAttributes, 'type' | 'disabled' | 'onClick'> & {
  name: string;
  icon: Parameters<typeof Icon>[0]['name'];
  /** How it stands out, if it does. */
  look?: 'quiet' | 'accent' | '';
};

/** A round button with a mark, and its name for whoever does not know the mark. */
export const IconButton = ({ name, icon, look = 'quiet', ...rest }: Props) => (
  <button type="button" class={`round ${look}`} aria-label={name} title={name} {...rest}>
    <Icon name={icon} />
  </button>
);
