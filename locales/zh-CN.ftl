# Agotalk 角色库，简体中文。
#
# 术语：role 角色（包的统称，也指对话类） · application 应用（打开页面的一类） · package 角色包 · publisher 发布者 ·
# summary 简介 · yanked 已停荐 · withdrawn 已撤下。role.md、min_app_version 等文件名和字段名不翻译。
# 句子简短平和，不用感叹号；中文与西文、数字之间留一个空格。

site-name = Agotalk 角色库
site-note = 页面上的数据由程序从每个角色包中算出；文字与图片归各自的发布者所有。
get-app = 获取 Agotalk
contact = 联系方式
skip-to-content = 跳到正文
language = 语言

search = 搜索
search-roles = 搜索角色
search-placeholder = 名称、主题或用途

catalog-title = 免费的角色与小应用
catalog-title-search = 搜索：{ $q }
catalog-heading = 为 Agotalk 挑选角色
catalog-lede = 让你的智能体有一门本事：当老师、做评审，或者陪你玩一局。全部免费，每一个都先经过检查再上架。
catalog-description = 面向 Agotalk 的免费角色包：对话角色与浏览器小应用，页面上的数据由角色包直接算出。
catalog-count = { $count ->
   *[other] { $n } 个角色
}
catalog-results = { $count ->
    [0] 没有找到
   *[other] 找到 { $n } 个角色
}

tabs = 类型
tab-all = 全部
tab-roles = 角色
tab-applications = 应用

sort = 排序
sort-relevance = 最相关
sort-updated = 最近更新
sort-new = 最新上架
sort-name = 名称
sort-downloads = 下载量

kind-role = 角色
kind-application = 应用

by-publisher = 发布者
card-downloads = { $count ->
   *[other] { $n } 次下载
}
languages = 语言

paging = 分页
page-previous = 上一页
page-next = 下一页

empty-search-title = 没有符合的角色
empty-search-text = 试试更少或别的词，任何语言都可以；也可以查看全部类型。
empty-title = 这里还没有内容
empty-text = 角色发布后会立即出现在这里。
empty-everything = 查看全部角色

role-version = 版本
role-requires = 需要 Agotalk { $version } 或更新版本
open-in-app = 在 Agotalk 中打开
download-zip = 下载 .zip
pictures = 图片
picture-cover = 封面图
picture-screenshot = 截图
picture-open = 查看原图

text-heading = 角色原文
text-note = 这就是 Agotalk 读到的 role.md，由发布者撰写。
text-note-app = 这就是 Agotalk 配合此应用时读到的 role.md，由发布者撰写。
text-rest = 阅读其余部分
text-cut = 原文比本页显示的更长，全文见角色包中的 role.md。

does-heading = 它会做什么
does-note = 由程序从角色包算出，而非自称。
does-open-page = 打开本地页面
    .detail = 页面在角色包内，显示在 Agotalk 的浏览器视图中。
does-talk-only = 只对话
    .detail = 它不打开自己的页面。
does-open-no-page = 不打开页面
    .detail = 它通过对话工作，可能运行包内的程序。
does-ship-scripts = { $count ->
   *[other] 带有 { $n } 个脚本
}
    .detail = Agotalk 可能在你的电脑上运行这些程序。
does-ship-no-scripts = 不带脚本
    .detail = 包内没有在页面之外运行的程序。
does-need-python = 需要 Python 依赖
    .detail = Agotalk 会单独安装包内锁定的依赖，不影响其他程序。
does-need-nothing = 无需安装依赖
    .detail = 它不需要 Python 依赖。
does-remember = 记住进度
    .detail = 下次可以接着上次继续。
does-forget = 不保存进度
    .detail = 每次都从头开始。
more-files = { $count ->
   *[other] 另有 { $n } 个文件
}

facts-heading = 基本信息
fact-id = 角色 ID
fact-version = 版本
fact-requires = 需要
fact-license = 许可
fact-size = 下载大小
fact-unpacked = 解压后
fact-files = 文件数
fact-downloads = 下载次数
fact-published = 发布日期
fact-updated = 更新日期
license-free = 免费

coverage-heading = 语言
coverage-note = 标题与简介提供以下语言
coverage-none = 标题与简介只有一种语言。
coverage-original = 原文
coverage-shown = 当前显示

versions-heading = 版本
version-column = 版本
published-column = 发布日期
size-column = 大小
more-versions = { $count ->
   *[other] 另有 { $n } 个更早的版本
}
status-yanked = 已停荐
status-withdrawn = 已撤下

integrity-heading = 完整性
integrity-note = 已发布的字节永不改变。要核对下载的文件，请在其所在目录运行：

yanked-title = 此版本已停止推荐
yanked-text = 它仍可下载，但不会再提供给没有指明要它的人。
withdrawn-title = 此版本已撤下
withdrawn-text = 它不能再下载。
older-title = 这不是最新版本
older-text = 你正在查看一个指定的版本。
status-reason = 给出的原因：
see-latest = 查看最新版本

error-status = 错误
error-home = 全部角色
error-explain = 这个代码的含义
request-id = 请求编号

code-eyebrow = 错误代码
code-why = 含义
code-fix = 如何解决

size-bytes = { $n } B
size-kilobytes = { $n } KB
size-megabytes = { $n } MB
size-gigabytes = { $n } GB
