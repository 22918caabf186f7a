import type { FormField } from '@parley/protocol/field';

const tokens: Record<string, string> = {
  name: 'name',
  fullname: 'name',
  firstname: 'given-name',
  givenname: 'given-name',
  lastname: 'family-name',
  surname: 'family-name',
  familyname: 'family-name',
  company: 'organization',
  organisation: 'organization',
  organization: 'organization',
  street: 'street-address',
  address: 'street-address',
  postcode: 'postal-code',
  postalcode: 'postal-code',
  zip: 'postal-code',
  city: 'address-level2',
  town: 'address-level2',
  country: 'country-name',
  birthday: 'bday',
  birthdate: 'bday',
  password: 'off',
  passcode: 'off',
  pin: 'off',
  code: 'one-time-code',
  otp: 'one-time-code',
  onetimecode: 'one-time-code',
  verificationcode: 'one-time-code',
  cardnumber: 'cc-number',
  cvc: 'cc-csc',
  cvv: 'cc-csc',
};

/** What the browser may offer to fill in, told by a field's type or by a name that says so. */
export function autocomplete({ type, name }: FormField): string | undefined {
  if (type === 'email' || type === 'tel' || type === 'url') return type;
  const known = name.toLowerCase().replaceAll(/[_-]/g, '');
  return Object.hasOwn(tokens, known) ? tokens[known] : undefined;
}
