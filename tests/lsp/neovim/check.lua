-- What a person sees of a file in Neovim, as JSON: arguments are the file, a place (1-based line, 0-based byte column)
-- to hover at, the server's program and whether the workspace is trusted.
local file, line, column = arg[1], tonumber(arg[2]), tonumber(arg[3])
local python, program, trusted = arg[4], arg[5], arg[6] == "true"
local seen = { errors = {} }
vim.notify = function(message, level)
  if level and level >= vim.log.levels.WARN then table.insert(seen.errors, message) end
end
vim.lsp.config["tilescope"] = {
  cmd = { python, "-c", program },
  filetypes = { "python" },
  root_markers = { "pyproject.toml", ".git" },
  init_options = { trusted = trusted },
}
vim.lsp.enable("tilescope")
vim.cmd.edit(file)
vim.bo.filetype = "python"
vim.wait(60000, function()
  local client = vim.lsp.get_clients({ bufnr = 0 })[1]
  return client ~= nil and client.initialized
end, 20)
local client = vim.lsp.get_clients({ bufnr = 0 })[1]
seen.encoding = client and client.offset_encoding
vim.lsp.inlay_hint.enable(true)

local function labels()
  local found = {}
  for _, one in ipairs(vim.lsp.inlay_hint.get({ bufnr = 0 })) do
    local label = one.inlay_hint.label
    if type(label) == "table" then
      local parts = {}
      for _, part in ipairs(label) do table.insert(parts, part.value) end
      label = table.concat(parts)
    end
    table.insert(found, { one.inlay_hint.position.line + 1, one.inlay_hint.position.character, label })
  end
  return found
end

vim.wait(90000, function()
  local found = vim.inspect(labels())
  return found:find(trusted and "wgmma" or "shared") ~= nil
end, 50)
seen.hints = labels()
local function asked(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000) or {}
  for _, answer in pairs(answers) do return answer.result end
end
local document = { uri = vim.uri_from_bufnr(0) }
local at = { line = line - 1, character = column }
local hover = asked("textDocument/hover", { textDocument = document, position = at })
seen.hover = hover and hover.contents.value
seen.lenses = asked("textDocument/codeLens", { textDocument = document }) or {}
seen.actions = {}
local place = { start = { line = 0, character = 0 }, ["end"] = { line = vim.api.nvim_buf_line_count(0), character = 0 } }
local context = { diagnostics = {} }
for _, one in ipairs(asked("textDocument/codeAction", { textDocument = document, range = place, context = context }) or {}) do
  table.insert(seen.actions, one.title)
end

-- An edit that breaks the text, as typed: Neovim sends it, and shows what comes back.
local last = vim.api.nvim_buf_line_count(0)
vim.api.nvim_buf_set_lines(0, last, last, false, { "broken = (" })
vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 20)
seen.diagnostics = {}
for _, one in ipairs(vim.diagnostic.get(0)) do table.insert(seen.diagnostics, { one.lnum + 1, one.code, one.source }) end
vim.api.nvim_buf_set_lines(0, last, -1, false, {})
vim.wait(20000, function() return #vim.diagnostic.get(0) == 0 end, 20)
seen.left = #vim.diagnostic.get(0)
io.stdout:write(vim.json.encode(seen) .. "\n")
vim.cmd("qa!")
