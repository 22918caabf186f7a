import { CardIcon } from './card-icon.tsx';

type Props = { text: string; action?: string; onAction?: () => void };

export function NoticeLine({ text, action, onAction }: Props) {
  return (
    <div class="notice" role="status">
      <CardIcon name="alert" />
      <p>{text}</p>
      {action && (
        <button type="button" class="button small" onClick={onAction}>
          {action}
        </button>
      )}
    </div>
  );
}
