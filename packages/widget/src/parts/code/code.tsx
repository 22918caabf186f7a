import { lazy } from '../../ui/lazy.tsx';

type Props = { text: string; language: string; open: boolean };

/** A fence of an answer; as it is read until what can be done with it is there. */
export const Code = lazy<Props>(
  () => import('./code-block.tsx'),
  true,
  ({ text }) => (
    <div class="code">
      <pre dir="ltr" tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  ),
);
