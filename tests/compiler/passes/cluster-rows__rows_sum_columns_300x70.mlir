// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<300x70xf32>) -> (tensor<70xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0>}> ({
    ^bb0(%3: tensor<f32>, %4: tensor<f32>):
      %5 = "stablehlo.add"(%3, %4) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%5) : (tensor<f32>) -> ()
    }) : (tensor<300x70xf32>, tensor<f32>) -> (tensor<70xf32>)
    "stablehlo.return"(%2) : (tensor<70xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<300x70xf32>) -> (tensor<70xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.composite"() <{name = "trainyard.rows", row_dims = 1 : i64, shape = array<i64: 300, 70>, parts = 1 : i64, piece = 0 : i64}> ({
      %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 0>}> ({
      ^bb0(%3: tensor<f32>, %4: tensor<f32>):
        %5 = "stablehlo.add"(%3, %4) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
        "stablehlo.return"(%5) : (tensor<f32>) -> ()
      }) : (tensor<300x70xf32>, tensor<f32>) -> (tensor<70xf32>)
      "stablehlo.return"(%2) : (tensor<70xf32>) -> ()
    }) : () -> (tensor<70xf32>)
    "stablehlo.return"(%2) : (tensor<70xf32>) -> ()
  }
}
