import { useWidget } from '../widget-context.ts';

export function CharactersLeft({ count }: { count: number }) {
  const { label } = useWidget();
  return (
    <p class={count < 0 ? 'problem' : 'meta'} role="status">
      {label(count < 0 ? 'TOO_LARGE' : 'characters', { count })}
    </p>
  );
}
