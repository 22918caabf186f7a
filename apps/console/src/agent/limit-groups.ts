import type { Limits } from '@parley/protocol/settings/limits';

export type LimitName = Exclude<keyof Limits, 'tokensPerDay'>;

interface LimitField {
  readonly name: LimitName;
  readonly label: string;
  /** What one of its number is. */
  readonly unit?: 'megabyte';
}

interface LimitGroup {
  readonly title: string;
  readonly hint: string;
  readonly fields: readonly LimitField[];
}

/** What misuse is kept to, by whom it is counted of. */
export const limitGroups: readonly LimitGroup[] = [
  {
    title: 'Of one conversation',
    hint: 'One person, in one chat.',
    fields: [
      { name: 'turnsPerSessionPerMinute', label: 'Messages a minute' },
      { name: 'turnsPerSessionPerDay', label: 'Messages a day' },
      { name: 'storedBytesPerSession', label: 'Megabytes of files', unit: 'megabyte' },
      { name: 'streamsPerSession', label: 'Open at once' },
    ],
  },
  {
    title: 'Of one address',
    hint: 'Everybody behind one connection: a home, but also a whole company.',
    fields: [
      { name: 'sessionsPerAddressPerMinute', label: 'Conversations a minute' },
      { name: 'sessionsPerAddressPerDay', label: 'Conversations a day' },
      { name: 'turnsPerAddressPerMinute', label: 'Messages a minute' },
      { name: 'turnsPerAddressPerDay', label: 'Messages a day' },
      { name: 'uploadsPerAddressPerMinute', label: 'Files a minute' },
      { name: 'storedBytesPerAddressPerDay', label: 'Megabytes of files a day', unit: 'megabyte' },
      { name: 'streamsPerAddress', label: 'Open at once' },
      { name: 'requestsPerAddressPerMinute', label: 'Requests a minute' },
    ],
  },
  {
    title: 'Of one key',
    hint: 'All visitors of the pages that have it.',
    fields: [
      { name: 'sessionsPerMinute', label: 'Conversations a minute' },
      { name: 'sessionsPerKeyPerDay', label: 'Conversations a day' },
      { name: 'turnsPerKeyPerDay', label: 'Messages a day' },
      { name: 'uploadsPerKeyPerDay', label: 'Files a day' },
      { name: 'storedBytesPerKeyPerDay', label: 'Megabytes of files a day', unit: 'megabyte' },
      { name: 'streamsPerKey', label: 'Open at once' },
    ],
  },
];

export const limitFields: readonly LimitField[] = limitGroups.flatMap(({ fields }) => fields);

export const megabyte = 1024 * 1024;
