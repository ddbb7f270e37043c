import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { readRequestSettings } from './transport/requestOptions';
import { connect, type Send } from './transport/send';

/** Connects the editor's lists to the service, by the Request Options (proxy, time-out, SSL) of the open node. */
export async function connectEditor(context: ILoadOptionsFunctions): Promise<Send> {
	const settings = readRequestSettings(context.getCurrentNodeParameter('requestOptions'));
	return (await connect(context, settings)).send;
}
