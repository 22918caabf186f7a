/** A value of the settings as somebody reads it. */
export function fieldValue(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'Not set';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return value.length === 0 ? 'None' : value.join('\n');
  if (isCredential(value)) return value.last4 === '' ? 'One that is hidden' : `One ending in ${value.last4}`;
  return JSON.stringify(value, null, 2);
}

const isCredential = (value: unknown): value is { readonly last4: string } =>
  typeof value === 'object' && value !== null && 'last4' in value && 'set' in value;
