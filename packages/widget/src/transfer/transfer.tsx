import { ConfirmTransfer } from './confirm-transfer.tsx';
import { Offer } from './offer.tsx';
import css from './transfer.css?inline';

type Props = { arrived?: { token: string; done: () => void } };

/** A conversation on its way to another browser, or from one. */
const Transfer = ({ arrived }: Props) => (arrived ? <ConfirmTransfer {...arrived} /> : <Offer />);

export { css, Transfer as Component };
