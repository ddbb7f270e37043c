import type { IDataObject, INode, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { ItemParameters } from '../fields/parameters';
import type { ServiceRequest } from '../transport/request';
import type { Journal } from '../journal/journal';
import type { Clients } from '../connection/clients';
import type { WriteOutput } from './rowRequest';

/** The common part of an operation's requests. In the path, `{id}` stands for the class. */
export type Endpoint = Omit<ServiceRequest, 'query' | 'body'>;

/** One operation of a resource: all that is known of it. What n8n wants is derived from this. */
export interface Operation {
	/** How the editor shows it. */
	name: string;
	/** The value that n8n saves in workflows. */
	value: string;
	/** How the editor shows it where a node is added. */
	action: string;
	description: string;
	/** A past participle such as "added", for errors. */
	participle: string;
	endpoint: Endpoint;
	/** What else to do about a rejection that ended the run: pointless to say where 'On Error' is 'Continue'. */
	adviceIfStopped?: string;
	fields: INodeProperties[];
	/** Handles the input items; returns the output items. */
	execute: Execute;
	/** Makes the output item of a write. A read returns its output items itself. */
	output?: WriteOutput;
	/** Texts that n8n shows next to the output. */
	hints?: Hint[];
}

/** Makes a hint from the output, and the input items that it is paired with, if there is something to say. */
export type Hint = (
	output: INodeExecutionData[],
	input: INodeExecutionData[],
) => string | undefined;

export type Execute = (run: OperationRun) => Promise<INodeExecutionData[]>;

export interface InputItem extends ItemParameters {
	itemIndex: number;
	json: IDataObject;
}

/** One run of an operation: the same in both ways in which n8n runs it. */
export interface OperationRun {
	node: INode;
	operation: Operation;
	items: InputItem[];
	/** Whether an item that fails becomes an error item, so that the others go on. */
	continueOnFail: boolean;
	/** The changes of this run and its earlier attempts. */
	journal: Journal;
	/** A hash of the node's parameters. */
	parametersHash: string;
	clients: Clients;
}
