// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<130x3x40x6xf32>, %1: tensor<40x6xf32>) -> (tensor<130x3x40xf32>, tensor<130x40xf32>) {
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<40x6xf32>) -> (tensor<1x1x40x6xf32>)
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x40x6xf32>) -> (tensor<130x3x40x6xf32>)
    %4 = "stablehlo.multiply"(%0, %3) : (tensor<130x3x40x6xf32>, tensor<130x3x40x6xf32>) -> (tensor<130x3x40x6xf32>)
    %5 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %6 = "stablehlo.reduce"(%4, %5) <{dimensions = array<i64: 3>}> ({
    ^bb0(%7: tensor<f32>, %8: tensor<f32>):
      %9 = "stablehlo.add"(%7, %8) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%9) : (tensor<f32>) -> ()
    }) : (tensor<130x3x40x6xf32>, tensor<f32>) -> (tensor<130x3x40xf32>)
    %10 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %11 = "stablehlo.reduce"(%0, %10) <{dimensions = array<i64: 1, 3>}> ({
    ^bb0(%12: tensor<f32>, %13: tensor<f32>):
      %14 = "stablehlo.maximum"(%12, %13) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%14) : (tensor<f32>) -> ()
    }) : (tensor<130x3x40x6xf32>, tensor<f32>) -> (tensor<130x40xf32>)
    "stablehlo.return"(%6, %11) : (tensor<130x3x40xf32>, tensor<130x40xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<130x3x40x6xf32>, %1: tensor<40x6xf32>) -> (tensor<130x3x40xf32>, tensor<130x40xf32>) {
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<40x6xf32>) -> (tensor<1x1x40x6xf32>)
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x40x6xf32>) -> (tensor<130x3x40x6xf32>)
    %4 = "stablehlo.multiply"(%0, %3) : (tensor<130x3x40x6xf32>, tensor<130x3x40x6xf32>) -> (tensor<130x3x40x6xf32>)
    %5 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %6 = "stablehlo.reduce"(%4, %5) <{dimensions = array<i64: 3>}> ({
    ^bb0(%7: tensor<f32>, %8: tensor<f32>):
      %9 = "stablehlo.add"(%7, %8) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%9) : (tensor<f32>) -> ()
    }) : (tensor<130x3x40x6xf32>, tensor<f32>) -> (tensor<130x3x40xf32>)
    %10 = "stablehlo.constant"() <{value = dense<"0x000080FF"> : tensor<f32>}> : () -> (tensor<f32>)
    %15 = "stablehlo.reduce"(%0, %10) <{dimensions = array<i64: 1>}> ({
    ^bb0(%12: tensor<f32>, %13: tensor<f32>):
      %14 = "stablehlo.maximum"(%12, %13) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%14) : (tensor<f32>) -> ()
    }) : (tensor<130x3x40x6xf32>, tensor<f32>) -> (tensor<130x40x6xf32>)
    %11 = "stablehlo.reduce"(%15, %10) <{dimensions = array<i64: 2>}> ({
    ^bb0(%12: tensor<f32>, %13: tensor<f32>):
      %14 = "stablehlo.maximum"(%12, %13) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%14) : (tensor<f32>) -> ()
    }) : (tensor<130x40x6xf32>, tensor<f32>) -> (tensor<130x40xf32>)
    "stablehlo.return"(%6, %11) : (tensor<130x3x40xf32>, tensor<130x40xf32>) -> ()
  }
}
