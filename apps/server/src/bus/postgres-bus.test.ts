import { postgresServerUrl } from '../testing/test-database.ts';
import { describeRemoteBus } from './contract/remote.ts';
import { openPostgresBus } from './postgres-bus.ts';

const url = await postgresServerUrl();

describeRemoteBus('postgres', () => url, openPostgresBus);
