/** The agent's picture, which says nothing that its name beside it does not. */
export const Avatar = ({ src }: { src: string | undefined }) =>
  src && <img class="avatar" src={src} alt="" />;
