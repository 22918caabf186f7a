/** @jsxImportSource preact */
import '@parley/widget/preact';

export function Page() {
  return (
    <>
      <parley-chat
        service="https://chat.example.com"
        publishable-key="pk_live_1"
        offset-x="2rem"
        class="chat"
      />
      {/* @ts-expect-error -- there is no such attribute */}
      <parley-chat service="https://chat.example.com" publishable-key="pk_live_1" offset="2rem" />
    </>
  );
}
