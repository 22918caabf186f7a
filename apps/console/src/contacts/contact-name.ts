import type { ContactView } from '@parley/protocol/settings/contact';

/** What a contact is called: by its name, else its address, else who they have proved to be. */
export const contactName = ({ fields, visitor }: ContactView): string =>
  fields['name']?.value ?? fields['email']?.value ?? visitor;

/** What is said beside the name, where it is not the name itself. */
export const contactDetail = (contact: ContactView): string =>
  [contact.fields['company']?.value, contact.fields['email']?.value, contact.visitor]
    .filter((each) => each !== undefined && each !== contactName(contact))
    .join(' · ');
