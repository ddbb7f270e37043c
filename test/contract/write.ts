import { writeFileSync } from 'node:fs';

import { CONTRACT_FILE, describeContract } from './describe';

writeFileSync(CONTRACT_FILE, describeContract());
