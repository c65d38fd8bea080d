import { z } from "zod";

/** Inputs that several tools share, so that they are called and mean the same everywhere. */

export const config = z.string().min(1).describe("The config, relative to the workspace: shop.app.json.");

export const node = z
  .string()
  .min(1)
  .describe(
    "A JSON Pointer (/workflows/0/data_pipeline/source), or names joined by dots: workflows.NAME.setup.connect.describe_connection, data_intake.NAME.request, workflows.NAME.…form_fields.ID.options. A name with dots is quoted.",
  );

export const file = (what: string) => z.string().min(1).optional().describe(what);
