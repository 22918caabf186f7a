import { Component } from 'preact';

/** Text that may become longer. What is there of it stays as it is, and with it what the reader has selected. */
export class GrowingText extends Component<{ text: string }> {
  span: HTMLElement | null = null;

  override shouldComponentUpdate({ text }: { text: string }) {
    const node = this.span!.firstChild as Text;
    if (text.startsWith(node.data)) node.appendData(text.slice(node.length));
    else node.data = text;
    return false;
  }

  render({ text }: { text: string }) {
    return <span ref={(span) => void (this.span = span)}>{text}</span>;
  }
}
