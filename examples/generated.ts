import mapValues from 'lodash/mapValues';

import type { Workflow } from '../test/n8n/workflows';
import { classAccess } from './classAccess/workflow';
import { CODE_NODES, withCode } from './codeNodes/withCode';
import { recipeFor } from './shops/recipe';
import { SHOPS } from './shops/shops';

/** The examples that aren't edited as JSON: as a whole, or only their code. All other ones are. */
export const GENERATED: Record<string, Workflow> = {
	'class-access': classAccess(),
	...mapValues(SHOPS, recipeFor),
	...mapValues(CODE_NODES, (_, example) => withCode(example)),
};
