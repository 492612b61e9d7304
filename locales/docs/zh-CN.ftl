# 错误与警告代码的中文说明。每个代码有名称、原因（.why）和解决办法（.fix）。
# 依据：角色包契约 v0.4 及其编号规则。术语见 ../zh-CN.ftl。

## 压缩包

ROLE_PACKAGE_ARCHIVE_INVALID = 文件不是一个完整的 zip
    .why = 角色包是一个普通的 zip：从第一个条目开始，到结尾记录为止，中间没有条目之外的内容。这个文件已损坏、不完整、被分卷，或在前后、中间夹有其他数据。
    .fix = 用普通的 zip 工具重新打包角色目录，并原样上传新文件。
ROLE_PACKAGE_LIMIT_EXCEEDED = 角色包超出限制
    .why = 角色包在 zip 大小、条目数、解压后大小、单个文件大小和压缩比上都有上限，这样在任何地方打开都是安全的。
    .fix = 去掉角色不需要的内容，缩小大文件后重新打包。提示中写明了触及的上限。
ROLE_IMPORT_ZIP_TOP_LEVEL_INVALID = zip 的顶层不是唯一的目录
    .why = 包内所有内容都在一个与角色同名的顶层目录里。现在旁边还有别的东西，或者没有这个目录。
    .fix = 压缩角色目录本身，而不是目录里的内容；并删除 __MACOSX 之类的多余文件夹。
ROLE_IMPORT_ZIP_ENTRY_INVALID = zip 中有不能接受的条目
    .why = 条目只能是普通文件和目录，采用存储或 deflate 方式，不加密，名称可移植且不重复，并且不含 .DS_Store、.git、node_modules、.env 和以 ._ 开头的文件。这里发现了链接、设备、异常的名称，或前后不一致的文件头。
    .fix = 删除或重命名提示中的条目，然后重新打包。
ROLE_PACKAGE_PATH_OUTSIDE_ROOT = 路径超出了角色包
    .why = 包内和清单中的每个路径都相对于包的根目录，并且不离开它。这个路径是绝对路径、用 .. 跳出，或者是一个 URL。
    .fix = 把文件放进包内，并写成相对路径，例如 assets/cover.png。
ROLE_PACKAGE_SKILLS_NOT_MARKDOWN = skills 目录里有 Markdown 以外的文件
    .why = skills/ 下的文件是说明文字，以 .md 结尾。程序、模板和图片另有位置。
    .fix = 把文件移到 contents/、assets/ 或 agapps/。

## 清单

ROLE_PACKAGE_MANIFEST_MISSING = 角色包没有清单
    .why = 要发布的包在根目录有一个 agotalk.role.toml 文件；没有它就只能手动导入应用。
    .fix = 在 role.md 旁边添加 agotalk.role.toml，名称须完全一致。
ROLE_CONTRACT_MISSING = 角色包没有清单
    .why = 导入时包的根目录没有 agotalk.role.toml，Agotalk 应用会给出此代码。发布时同样的问题是 ROLE_PACKAGE_MANIFEST_MISSING。
    .fix = 在 role.md 旁边添加 agotalk.role.toml，名称须完全一致。
ROLE_CONTRACT_INVALID = 清单无法读取
    .why = agotalk.role.toml 不是 UTF-8 编码的 TOML 1.0 文本，例如缺少引号，或者同一个键出现了两次。
    .fix = 修正提示所指的那一行。
ROLE_CONTRACT_FIELD_MISSING = 缺少必需的字段
    .why = 清单里少了这类角色包都有的字段或表。
    .fix = 在提示所写的表中添加该字段。
ROLE_CONTRACT_FIELD_INVALID = 字段的值不允许
    .why = 字段存在，但值的类型或写法不对：该是文字却写成数字，首尾有空白，license 不是 "free"，版本不符合 SemVer 等。
    .fix = 按提示中的写法填写。
ROLE_PACKAGE_ID_MISMATCH = 目录、清单和地址中的角色不一致
    .why = 顶层目录名、清单中的 id 和上传地址必须是同一个角色 ID。
    .fix = 三处使用同一个 ID。
ROLE_ID_DIR_MISMATCH = 目录与清单中的角色不一致
    .why = 导入时顶层目录名与清单中的 id 不同，Agotalk 应用会给出此代码。发布时同样的问题是 ROLE_PACKAGE_ID_MISMATCH。
    .fix = 重命名目录或修改 id，使两者相同。
ROLE_PACKAGE_KIND_INVALID = kind 既不是 role 也不是 application
    .why = kind 说明包的类型："role" 用于对话，"application" 用于打开页面。
    .fix = 写成 kind = "role" 或 kind = "application"。
ROLE_STATE_REMEMBERS_PROGRESS_INVALID = 清单没有说明是否保存进度
    .why = [state] 表中有一个 remembers_progress 字段，值为 true 或 false，不加引号。
    .fix = 在 [state] 下写 remembers_progress = true 或 remembers_progress = false。
ROLE_ENVIRONMENT_INVALID = environment 表不符合要求
    .why = [environment] 表中有 manager = "agotalk"，以及取值为 "none" 或 "locked" 的 dependency_mode。写在清单顶层等于没有写。
    .fix = 把这两个字段写在 [environment] 下。
ROLE_PUBLISH_MIN_APP_VERSION_MISSING = 没有给出最低应用版本
    .why = 角色库需要知道哪些版本的 Agotalk 能运行这个角色，而且从不猜测。
    .fix = 在清单中写上 min_app_version = "0.1.57"（换成你的版本），或在上传时明确给出。

## 入口

ROLE_PACKAGE_ENTRY_FORBIDDEN = 对话角色不应有入口
    .why = kind = "role" 时行为只来自 role.md，不能有 [entry] 表，空的也不行。
    .fix = 删除 [entry]；如果要打开页面，请写 kind = "application"。
ROLE_PACKAGE_ENTRY_REQUIRED = 应用没有入口
    .why = kind = "application" 时由 [entry] 表说明打开哪个页面。
    .fix = 添加 [entry]，写上 kind = "static_browser"、target 和 address_bar。
ROLE_ENTRY_KIND_UNSUPPORTED = 不支持这种入口
    .why = 入口只有一种：static_browser，即由 Agotalk 在浏览器视图中打开的包内页面。
    .fix = 在 [entry] 下写 kind = "static_browser"。
ROLE_ENTRY_ADDRESS_BAR_INVALID = address_bar 既不是 visible 也不是 hidden
    .why = address_bar 说明浏览器视图是否显示地址栏。
    .fix = 在 [entry] 下写 address_bar = "visible" 或 address_bar = "hidden"。
ROLE_ENTRY_TARGET_OUTSIDE_PACKAGE = 入口页面在角色包之外
    .why = 导入时 target 超出了包，Agotalk 应用会给出此代码。发布时同样的问题是 ROLE_PACKAGE_PATH_OUTSIDE_ROOT。
    .fix = 把页面放进包内，并写成相对于包根目录的路径。
ROLE_ENTRY_TARGET_NOT_FOUND = 包内没有入口页面
    .why = target 指向的文件不存在，或者大小写不同。
    .fix = 按包内的实际写法填写路径，或添加该文件。
ROLE_ENTRY_TARGET_NOT_FILE = 入口页面不是文件
    .why = target 指向的是一个目录。
    .fix = 写 HTML 文件的路径，例如 agapps/word-pop-game/index.html。

## 预览与头像

ROLE_PREVIEW_INVALID = 预览无法使用
    .why = [preview] 是一个表，含 intro_html、cover_image 和 screenshots；封面和最多三张截图必须是能在限制内解码的图片，不能是 SVG。
    .fix = 修正提示中的字段或替换图片。最好用 1280 × 720 像素的 PNG。
ROLE_PREVIEW_OUTSIDE_PACKAGE = 预览文件在角色包之外
    .why = 导入时 [preview] 下的路径超出了包，Agotalk 应用会给出此代码。发布时同样的问题是 ROLE_PACKAGE_PATH_OUTSIDE_ROOT。
    .fix = 把文件放进包内，并写成相对于包根目录的路径。
ROLE_PREVIEW_NOT_FOUND = 包内没有预览文件
    .why = [preview] 下的路径指向的文件不存在，或者大小写不同。
    .fix = 按包内的实际写法填写路径，或添加该文件。
ROLE_PREVIEW_NOT_FILE = 预览路径不是文件
    .why = [preview] 下的路径指向的是一个目录。
    .fix = 写文件本身的路径。
ROLE_PACKAGE_AVATAR_INVALID = 头像无法使用
    .why = 如果包里有 avatar.png，它必须是普通文件，并且是能在限制内解码的图片。
    .fix = 换成 512 × 512 像素的 PNG，或者去掉它。

## role.md

ROLE_BEHAVIOR_FILE_MISSING = 角色没有 role.md
    .why = 包根目录的 role.md 就是角色的行为。它不存在、是空的，或者不是普通文件。
    .fix = 在清单旁边添加 role.md，写明角色做什么。
ROLE_IMPORT_ROLE_MD_MISSING = 角色包没有 role.md
    .why = 每个包（应用也一样）在根目录都有 role.md。它不存在、是空的，或者不是普通文件。
    .fix = 在清单旁边添加 role.md。
ROLE_PACKAGE_LEGACY_AVATAR_FIELD = role.md 中写了 avatar
    .why = 前置信息中的 avatar 键已经停用。
    .fix = 删除这一行，把图片放在包的根目录，命名为 avatar.png。
ROLE_PACKAGE_ROLE_MD_INVALID = role.md 无法读取
    .why = role.md 是 UTF-8 文本；以 --- 开始的前置信息要以 --- 结束，并且不超出限制。
    .fix = 把文件存为 UTF-8，并补上前置信息的结尾。

## 锁定依赖的包

ROLE_PACKAGE_LOCKFILE_MISSING = 缺少锁文件
    .why = dependency_mode = "locked" 时，包的根目录有 pyproject.toml 和 uv.lock。现在少了其中一个。
    .fix = 在包内运行 uv lock 并加入这两个文件，或写 dependency_mode = "none"。
ROLE_PACKAGE_LOCKFILE_UNSUPPORTED = 不支持这种锁文件
    .why = 只支持 uv.lock，这里找到的是其他工具的锁文件。
    .fix = 在 pyproject.toml 中写明依赖，然后运行 uv lock。
ROLE_PACKAGE_LOCKFILE_MALFORMED = uv.lock 不是 uv 写出的样子
    .why = 无法把它当作锁文件读取：版本、包或来源缺失，或写法不同。手写的锁文件常会这样。
    .fix = 删除 uv.lock，重新运行 uv lock。
ROLE_PACKAGE_PYPROJECT_INVALID = pyproject.toml 无法使用
    .why = pyproject.toml 是 TOML，含有带 name 的 [project] 表。
    .fix = 修正文件，重新运行 uv lock。
ROLE_PACKAGE_LOCKFILE_HASH_INVALID = 锁文件中有制品缺少有效摘要
    .why = 锁文件列出的每个归档都有 sha256 摘要，这样每台电脑安装的字节都相同。这里有摘要缺失、格式不对，或与包内文件不符。来自 git 的来源没有摘要，不能使用。
    .fix = 重新运行 uv lock，并把 git 来源换成正式发布的包或包内的 wheel。
ROLE_PACKAGE_LOCKFILE_SOURCE_MISSING = 锁文件中的来源不在包内
    .why = 锁文件按路径写了一个文件或文件夹，但那里什么也没有。
    .fix = 把它加入包内，或改为依赖正式发布的包。
ROLE_PACKAGE_LOCKFILE_STALE = 锁文件与 pyproject.toml 不符
    .why = pyproject.toml 中的名称或依赖与生成 uv.lock 时不同。
    .fix = 重新运行 uv lock，加入新的 uv.lock。
ROLE_PACKAGE_PYTHON_INCOMPATIBLE = 不能在 Python 3.11 上运行
    .why = Agotalk 提供 Python 3.11，而 requires-python 排除了它。
    .fix = 写 requires-python = ">=3.11"，重新运行 uv lock。
ROLE_PACKAGE_SETUP_CHECK_MISSING = 锁定依赖的包缺少自检程序
    .why = 锁定依赖的包有一个 contents/bin/setup-check 程序，用来证明依赖确实可用。
    .fix = 添加 contents/bin/setup-check；包能正常工作时，它以状态 0 结束。
ROLE_PACKAGE_SETUP_CHECK_NOT_EXECUTABLE = 自检程序不可执行
    .why = contents/bin/setup-check 存在，但在 zip 中的文件权限没有可执行位。
    .fix = 运行 chmod +x contents/bin/setup-check，并用能保留权限的工具打包。
ROLE_PACKAGE_SETUP_CHECK_FAILED = 自检没有通过
    .why = 在只有锁定依赖的干净环境中，contents/bin/setup-check 以非 0 状态结束。
    .fix = 查看程序的输出。运行时没有锁文件之外的包、用户主目录中的文件和 API 密钥。

## 发布

ROLE_VERSION_IMMUTABLE_CONFLICT = 此版本已存在，且内容不同
    .why = 已发布的版本永不改变。这次上传在字节或最低应用版本上与它不同。
    .fix = 提高清单中的版本号后重新发布。
ROLE_PUBLISH_AUTH_MISSING = 没有发送发布令牌
    .why = 发布需要在 Authorization 头中带上令牌，这里没有，或者格式不对。
    .fix = 设置 AGOTALK_ROLE_PUBLISH_TOKEN，或发送 Authorization: Bearer 加上你的令牌。
ROLE_PUBLISH_AUTH_INVALID = 不认识这个发布令牌
    .why = 令牌的格式正确，但不是由这个角色库签发的。
    .fix = 确认令牌属于这个角色库并且复制完整，或申请一个新的。
ROLE_PUBLISH_AUTH_EXPIRED = 发布令牌已过期
    .why = 令牌在创建时选定的日期到期。
    .fix = 申请新的令牌。
ROLE_PUBLISH_AUTH_REVOKED = 发布令牌已被吊销
    .why = 令牌已被收回，例如因为可能被别人知道了。
    .fix = 申请新的令牌。
ROLE_PUBLISH_FORBIDDEN = 这个令牌不能发布此角色
    .why = 角色属于其他发布者，或者令牌只用于别的角色。
    .fix = 使用该角色发布者的、包含此角色 ID 的令牌，或换一个 ID。
ROLE_PUBLISH_CATALOG_CONFLICT = 上传内容与角色库矛盾
    .why = 地址与清单中的版本或最低应用版本不同，或者已有一个只在加号之后不同的版本。
    .fix = 让两处一致，或提高版本号。
ROLE_ID_RESERVED = 这个角色 ID 已被保留
    .why = 有些 ID 留给 Agotalk 自己，或容易被当成网站的一部分。
    .fix = 为目录和清单换一个 ID。
ROLE_ID_LOOKALIKE = 这个角色 ID 与已有的太像
    .why = 容易与其他发布者的角色混淆的 ID 不会被接受。
    .fix = 换一个明显不同的 ID，或联系角色库的运营者。
ROLE_PUBLISH_DIRTY_TREE = 角色有未提交的改动
    .why = 发布工具只打包已提交的内容，这样发布过的版本总能在仓库里找到。
    .fix = 提交或搁置角色目录下的改动，再重新发布。

## 仅由应用给出

ROLE_IMPORT_DUPLICATE = 已导入过同一 ID 的角色
    .why = 角色库中已有相同 ID 的角色时，Agotalk 应用会给出此代码；本站从不给出。
    .fix = 在应用中更新或删除已有的角色。
ROLE_KIND_NOT_LAUNCHABLE = 这个角色没有可以启动的页面
    .why = 让只会对话的角色打开页面时，Agotalk 应用会给出此代码；本站从不给出。
    .fix = 请选择它来对话。

## 警告

ROLE_WARN_INSTALL_COMMAND = 文字中教人安装软件包
    .why = 包声明的依赖由 Agotalk 安装。pip install 或全局 npm 安装之类的指示会在此之外改动用户的电脑。
    .fix = 在 pyproject.toml 和 uv.lock 中声明依赖，并删去这类指示。
ROLE_WARN_HOME_PATH = 文字中用到了包外的路径
    .why = ~/.local、/Users、/etc 之类的路径在别人的电脑上不同，或者不该触碰。
    .fix = 通过 AGOTALK_ROLE_ROOT 找到包内的文件。
ROLE_WARN_SECRET = 文件中有像密钥的内容
    .why = 发布的包是公开的，里面的密钥也一样。
    .fix = 删除密钥，到签发处更换它，并改为从环境变量读取。如果只是示例，请写得一看就是示例。
ROLE_WARN_IMAGE_SIZE = 图片尺寸与建议不同
    .why = 头像为 512 × 512 像素，封面和截图为 1280 × 720。其他尺寸也会显示，但可能被裁切或不够清晰。
    .fix = 按建议的尺寸导出图片。
ROLE_WARN_IMAGE_FORMAT = 图片不是 PNG
    .why = 源图片应为 PNG，其他格式中的文字常会模糊。
    .fix = 导出为 PNG；即使文件名已经以 .png 结尾也一样。
ROLE_WARN_LARGE_IMAGE = 图片超过 1 MB
    .why = 每个安装此角色的人都要下载它。
    .fix = 减少颜色数或缩小尺寸。
ROLE_WARN_UNUSED_LOCKFILE = 包内的锁文件没有用到
    .why = dependency_mode = "none" 时，不会读取包根目录的锁文件。
    .fix = 写 dependency_mode = "locked"，或删除锁文件。
ROLE_WARN_UNKNOWN_FIELD = 有字段与已知字段相近
    .why = 未知字段会被忽略。这个字段与某个已知字段只差一点，或者放错了表。
    .fix = 改正名称或移到正确的位置；若本就另有用途，可以忽略此警告。
ROLE_WARN_TOML_1_1 = 清单使用了应用读不了的新版 TOML
    .why = 只支持 TOML 1.0 的读取程序会拒绝这种写法，旧版应用就是如此。
    .fix = 改用 TOML 1.0 的写法。
ROLE_WARN_UNTRANSLATED = 某种语言重复了原文
    .why = 有一个 [i18n] 表的标题和简介与清单完全相同，而包里还有其他语言。
    .fix = 翻译它们；如果这个表是误写的清单自身语言，可以删去。
ROLE_WARN_REMOTE_RESOURCE = 页面从网络加载内容
    .why = 启动时从网络加载脚本、样式、字体或数据的应用，断网就不能用，也会让外界知道它被使用。
    .fix = 把这些文件放进包内。
ROLE_WARN_INTRO_SCRIPT = 介绍页含有脚本或表单
    .why = intro.html 作为静态页面显示，脚本、表单和事件处理都不起作用。
    .fix = 去掉它们，或把页面做成应用。
ROLE_WARN_SETUP_CHECK_UNREPORTED = 没有自检通过的报告
    .why = 上传锁定依赖的包时，没有附上发布工具对 contents/bin/setup-check 的报告。
    .fix = 用 role-catalog 命令发布，它会运行自检。
ROLE_WARN_LOOKALIKE_ID = 角色 ID 与已有的相近
    .why = 它与另一个角色只差一个字符，容易弄混。
    .fix = 趁角色还新，换一个更容易区分的 ID。

## 请求

REQUEST_INVALID = 无法理解这个请求
    .why = 地址或请求的某一部分含有不允许的值。
    .fix = 请检查地址。如果是点链接来的，可以从全部角色继续。
CURSOR_INVALID = 游标不属于这个列表
    .why = 游标只能在相同的排序和筛选下接着读同一个列表，不能自行编造，也不能一直保留。
    .fix = 去掉游标，从头开始读列表。
UPLOAD_DIGEST_MISMATCH = 上传的内容在途中变了
    .why = 收到的字节与随附的摘要不符。
    .fix = 重新上传。如果再次出现，说明你与角色库之间有什么改动了内容。
NOT_FOUND = 这个地址没有内容
    .why = 没有角色、版本、图片或页面使用这个地址。可能拼写不同，也可能从未发布。
    .fix = 请检查拼写，或在全部角色中查找。
METHOD_NOT_ALLOWED = 这个地址不接受此类请求
    .why = 地址存在，但不支持这种 HTTP 方法。Allow 头列出了可用的方法。
    .fix = 改用列出的方法。
ROLE_VERSION_WITHDRAWN = 此版本已撤下
    .why = 发布者或运营者收回了它。版本号仍被占用，文件不再提供。
    .fix = 请使用该角色的其他版本。
SYNC_RESET = 需要重新建立副本
    .why = 请求的修订号不属于角色库的当前状态，例如在恢复备份之后。
    .fix = 重新获取快照，从它的修订号继续。
PAYLOAD_TOO_LARGE = 上传的内容太大
    .why = 请求的内容超过了这个地址的上限。
    .fix = 把角色包做小一些再上传。
UNSUPPORTED_MEDIA_TYPE = 上传的类型不符
    .why = 这个地址接受的 Content-Type 与发送的不同。角色包是 application/zip。
    .fix = 发送正确的 Content-Type。
RANGE_NOT_SATISFIABLE = 文件没有这一部分
    .why = Range 头请求的字节超出了文件末尾。
    .fix = 请求存在的部分，或整个文件。
RATE_LIMITED = 一时请求太多
    .why = 每个客户端在一段时间内的请求数有限，这样角色库对所有人都保持快速。
    .fix = 按 Retry-After 头给出的秒数等待后再试。
INTERNAL = 这里出了点问题
    .why = 角色库自身遇到故障，已按请求编号记录下来。
    .fix = 请稍后再试。如果一直如此，请把请求编号告诉运营者。
UNAVAILABLE = 角色库暂时无法响应
    .why = 角色库现在无法回答：它正忙，有一部分无法访问，或者这个副本不接受改动。
    .fix = 请稍后再试。
STORAGE_FULL = 没有空间接收上传
    .why = 角色库的存储快满了，因此暂停上传；浏览和下载不受影响。
    .fix = 请稍后再试，或告诉运营者。
