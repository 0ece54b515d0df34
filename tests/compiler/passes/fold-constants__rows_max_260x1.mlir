// tolerance: 0
// in: draw 1 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<260x1xf32>) -> (tensor<260xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
    ^bb0(%3: tensor<f32>, %4: tensor<f32>):
      %5 = "stablehlo.maximum"(%3, %4) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%5) : (tensor<f32>) -> ()
    }) : (tensor<260x1xf32>, tensor<f32>) -> (tensor<260xf32>)
    "stablehlo.return"(%2) : (tensor<260xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<260x1xf32>) -> (tensor<260xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.reshape"(%0) : (tensor<260x1xf32>) -> (tensor<260xf32>)
    "stablehlo.return"(%2) : (tensor<260xf32>) -> ()
  }
}
