import { ParleyChat } from '@parley/widget/react';
import { useRef } from 'react';

export function Page() {
  const chat = useRef<HTMLElementTagNameMap['parley-chat']>(null);
  return (
    <>
      <ParleyChat
        service="https://chat.example.com"
        publishableKey="pk_live_1"
        locale={undefined}
        teaser=""
        history
      />
      <parley-chat
        ref={chat}
        service="https://chat.example.com"
        publishable-key="pk_live_1"
        mode="bubble"
        className="chat"
      />
      {/* @ts-expect-error -- there is no such mode */}
      <parley-chat service="https://chat.example.com" publishable-key="pk_live_1" mode="modal" />
    </>
  );
}
