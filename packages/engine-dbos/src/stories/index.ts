export {
  forgetOtherKeys,
  KeptStories,
  pruneStories,
  storiesOf,
  type TellsStories,
  toldOf,
} from "./kept-stories.ts";
export { keepSavedRun, type SavedFailure, savedFailures, savedRunOf } from "./saved-runs.ts";
export type { Story, StoryCommand, StoryRequest } from "./story.ts";
export { type TellingOptions, tellingOf } from "./telling.ts";
export { requestText, storyLines } from "./words.ts";
