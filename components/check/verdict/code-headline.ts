import {
  useVerdictMessages,
  type VerdictHeadline,
} from '#components/check/verdict/verdict-messages';
import { useFormats } from '#components/formats';
import type { ExpectedItem } from '#core/check/check-report';
import type { CodeVerdict } from '#stores/check/code-verdict';

/** Words the verdict on one code as one sentence, whichever connections were asked. */
export function useCodeHeadline(): {
  /** Undefined while nothing is known. */
  headlineOf: (verdict: CodeVerdict, expected?: ExpectedItem) => VerdictHeadline | undefined;
  /** Names the connections that the sentence is about. */
  askedOf: (verdict: CodeVerdict) => string[];
  /** Names them in one text. */
  namesOf: (verdict: CodeVerdict) => string;
} {
  const formats = useFormats();
  const { headline, nameOf } = useVerdictMessages();

  const askedOf = ({ lead, others, isMissing }: CodeVerdict): string[] =>
    (isMissing ? [lead, ...others] : [lead]).map(({ connectionId }) => nameOf(connectionId));
  return {
    headlineOf: (verdict, expected) =>
      verdict.lead.report && headline(verdict.lead.report, { expected, asked: askedOf(verdict) }),
    askedOf,
    namesOf: (verdict) => formats.all(askedOf(verdict)),
  };
}
