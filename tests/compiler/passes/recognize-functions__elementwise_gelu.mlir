// tolerance: 2e-05
// in: draw 1 -4 3.814697265625e-06 2097152
module @module {
  func.func public @main(%0: tensor<40x60xf32>) -> (tensor<40x60xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40x60xf32>)
    %3 = "stablehlo.multiply"(%2, %0) : (tensor<40x60xf32>, tensor<40x60xf32>) -> (tensor<40x60xf32>)
    %4 = "stablehlo.negate"(%0) : (tensor<40x60xf32>) -> (tensor<40x60xf32>)
    %5 = "stablehlo.constant"() <{value = dense<7.071067691e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40x60xf32>)
    %7 = "stablehlo.multiply"(%4, %6) : (tensor<40x60xf32>, tensor<40x60xf32>) -> (tensor<40x60xf32>)
    %8 = "stablehlo.composite"(%7) <{composite_attributes = {}, name = "chlo.erfc", version = 0 : i64}> : (tensor<40x60xf32>) -> (tensor<40x60xf32>)
    %9 = "stablehlo.multiply"(%3, %8) : (tensor<40x60xf32>, tensor<40x60xf32>) -> (tensor<40x60xf32>)
    "stablehlo.return"(%9) : (tensor<40x60xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<40x60xf32>) -> (tensor<40x60xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40x60xf32>)
    %3 = "stablehlo.multiply"(%2, %0) : (tensor<40x60xf32>, tensor<40x60xf32>) -> (tensor<40x60xf32>)
    %4 = "stablehlo.negate"(%0) : (tensor<40x60xf32>) -> (tensor<40x60xf32>)
    %5 = "stablehlo.constant"() <{value = dense<7.071067691e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40x60xf32>)
    %7 = "stablehlo.multiply"(%4, %6) : (tensor<40x60xf32>, tensor<40x60xf32>) -> (tensor<40x60xf32>)
    %8 = "stablehlo.composite"(%7) <{composite_attributes = {}, name = "chlo.erfc", version = 0 : i64}> : (tensor<40x60xf32>) -> (tensor<40x60xf32>)
    %9 = "stablehlo.composite"(%0) <{name = "trainyard.gelu"}> : (tensor<40x60xf32>) -> (tensor<40x60xf32>)
    "stablehlo.return"(%9) : (tensor<40x60xf32>) -> ()
  }
}
