import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { useSetTags, useTags } from './pipeline.api.ts';
import { TagsSection } from './tags-section.part.tsx';

/** An applicant's tags. */
export function ApplicantTags({
  applicant,
  businessId,
}: {
  applicant: Applicant;
  businessId: string | undefined;
}) {
  const used = useTags(businessId);
  const save = useSetTags();
  return (
    <TagsSection
      // The submitted tags stay until the record is refetched.
      tags={save.isPending ? save.variables.tags : applicant.tags}
      used={(used.data ?? []).map(({ tag }) => tag)}
      error={save.error}
      onSet={(tags) => save.mutate({ applicationId: applicant.id, tags })}
    />
  );
}
