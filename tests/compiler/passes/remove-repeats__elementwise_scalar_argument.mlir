// tolerance: 0
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: 1.75
module @module {
  func.func public @main(%0: tensor<33x9xf32>, %1: tensor<f32>) -> (tensor<33x9xf32>) {
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<33x9xf32>)
    %3 = "stablehlo.multiply"(%0, %2) : (tensor<33x9xf32>, tensor<33x9xf32>) -> (tensor<33x9xf32>)
    %4 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<33x9xf32>)
    %5 = "stablehlo.add"(%3, %4) : (tensor<33x9xf32>, tensor<33x9xf32>) -> (tensor<33x9xf32>)
    "stablehlo.return"(%5) : (tensor<33x9xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<33x9xf32>, %1: tensor<f32>) -> (tensor<33x9xf32>) {
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<33x9xf32>)
    %3 = "stablehlo.multiply"(%0, %2) : (tensor<33x9xf32>, tensor<33x9xf32>) -> (tensor<33x9xf32>)
    %5 = "stablehlo.add"(%3, %2) : (tensor<33x9xf32>, tensor<33x9xf32>) -> (tensor<33x9xf32>)
    "stablehlo.return"(%5) : (tensor<33x9xf32>) -> ()
  }
}
