import { version } from '../package.json';
import { createClassroom } from './classroom';
import { HEADER_QUESTIONS } from './headerQuestions';
import { LIST_QUESTIONS } from './listQuestions';
import { createMask } from './mask';
import type { Probe } from './question';
import { writeReport, type Finding } from './report';
import { createService, Interruption } from './service';
import type { Settings } from './settings';
import { STUDENT_QUESTIONS } from './studentQuestions';

const QUESTIONS = [...LIST_QUESTIONS, ...STUDENT_QUESTIONS, ...HEADER_QUESTIONS];

/** What the probe will do, for the user to read first. */
export function describePlan({ baseUrl, email, classId }: Settings): string {
	return [
		`This asks ${baseUrl} what its interface does not say, in fewer than 30 requests.`,
		`It adds ${email} to the class ${classId} and removes it again, up to three times, and sends it one magic link.`,
		'Nobody else is touched. The class must be empty, and is empty at the end, also if you press Ctrl-C.',
		'',
		...QUESTIONS.map(({ title, sends }) => `- ${title}: ${sends}`),
	].join('\n');
}

/**
 * Asks all questions, until the user stops it or a response is missing. In any case, the class is left empty.
 * @param say shows what is going on
 * @throws an error, before anything was changed, if the class is not an empty one
 */
export async function runProbe(settings: Settings, stop: AbortSignal, say: (text: string) => void) {
	const service = createService(settings);
	const classroom = createClassroom(service, settings);
	const mask = createMask(settings);
	const findings: Finding[] = QUESTIONS.map((question) => ({ question }));
	await classroom.checkEmpty();
	let interruption: string | undefined;
	let left: string | undefined;
	try {
		await askAll(findings, { settings, service, classroom }, stop, say);
	} catch (error) {
		if (!(error instanceof Interruption)) throw error;
		interruption = error.message;
	} finally {
		left = await classroom.leave();
		if (left) say(left);
	}
	const result = { findings, requests: service.answers.length, interruption, left };
	return { report: writeReport(result, version, mask), isComplete: !interruption && !left };
}

async function askAll(
	findings: Finding[],
	probe: Probe,
	stop: AbortSignal,
	say: (text: string) => void,
): Promise<void> {
	for (const finding of findings) {
		if (stop.aborted) throw new Interruption('stopped by you');
		say(`${finding.question.title} …`);
		finding.sight = await finding.question.ask(probe);
	}
}
