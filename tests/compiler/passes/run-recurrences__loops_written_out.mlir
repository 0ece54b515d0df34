// tolerance: 1e-06
// in: draw 5 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<8x32xf32>) -> (tensor<32xf32>, tensor<8x32xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<32xf32>)
    %60 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %70 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %71 = "stablehlo.broadcast_in_dim"(%70) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<8x32xf32>)
    %72, %73, %74 = "stablehlo.while"(%60, %2, %71) ({
    ^bb0(%78: tensor<i32>, %79: tensor<32xf32>, %80: tensor<8x32xf32>):
      %81 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> (tensor<i32>)
      %82 = "stablehlo.compare"(%78, %81) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%82) : (tensor<i1>) -> ()
    }, {
    ^bb0(%62: tensor<i32>, %64: tensor<32xf32>, %66: tensor<8x32xf32>):
      %61 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %63 = "stablehlo.add"(%62, %61) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      %3 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
      %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<32xf32>)
      %5 = "stablehlo.multiply"(%64, %4) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>)
      %65 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %6 = "stablehlo.dynamic_slice"(%0, %62, %65) <{slice_sizes = array<i64: 1, 32>}> : (tensor<8x32xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x32xf32>)
      %7 = "stablehlo.reshape"(%6) : (tensor<1x32xf32>) -> (tensor<32xf32>)
      %8 = "stablehlo.add"(%5, %7) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>)
      %67 = "stablehlo.reshape"(%8) : (tensor<32xf32>) -> (tensor<1x32xf32>)
      %68 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %69 = "stablehlo.dynamic_update_slice"(%66, %67, %62, %68) : (tensor<8x32xf32>, tensor<1x32xf32>, tensor<i32>, tensor<i32>) -> (tensor<8x32xf32>)
      "stablehlo.return"(%63, %8, %69) : (tensor<i32>, tensor<32xf32>, tensor<8x32xf32>) -> ()
    }) : (tensor<i32>, tensor<32xf32>, tensor<8x32xf32>) -> (tensor<i32>, tensor<32xf32>, tensor<8x32xf32>)
    %50 = "stablehlo.reshape"(%73) : (tensor<32xf32>) -> (tensor<32xf32>)
    %75 = "stablehlo.reverse"(%74) <{dimensions = array<i64: 0>}> : (tensor<8x32xf32>) -> (tensor<8x32xf32>)
    %76 = "stablehlo.reshape"(%75) : (tensor<8x32xf32>) -> (tensor<8x1x32xf32>)
    %59 = "stablehlo.reshape"(%76) : (tensor<8x1x32xf32>) -> (tensor<8x32xf32>)
    "stablehlo.return"(%50, %59) : (tensor<32xf32>, tensor<8x32xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<8x32xf32>) -> (tensor<32xf32>, tensor<8x32xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<32xf32>)
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<8x32xf32>)
    %33 = "stablehlo.constant"() <{value = dense<"0x0000000001000000020000000300000004000000050000000600000007000000"> : tensor<8xi32>}> : () -> (tensor<8xi32>)
    %34 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> (tensor<i32>)
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<i32>)
    %36 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<8xi32>)
    %38 = "stablehlo.add"(%33, %37) : (tensor<8xi32>, tensor<8xi32>) -> (tensor<8xi32>)
    %39 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<32xf32>)
    %41 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %42 = "stablehlo.transpose"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<8x32xf32>) -> (tensor<32x8xf32>)
    %43 = "stablehlo.reshape"(%42) : (tensor<32x8xf32>) -> (tensor<1x32x8xf32>)
    %44 = "stablehlo.reshape"(%43) : (tensor<1x32x8xf32>) -> (tensor<32x8xf32>)
    %45 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %46 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xf32>) -> (tensor<32x8xf32>)
    %47 = "stablehlo.composite"(%46, %44, %2) <{composite_attributes = {}, name = "trainyard.linear_scan", version = 1 : i64}> : (tensor<32x8xf32>, tensor<32x8xf32>, tensor<32xf32>) -> (tensor<32x8xf32>)
    %48 = "stablehlo.slice"(%47) <{limit_indices = array<i64: 32, 8>, start_indices = array<i64: 0, 7>, strides = array<i64: 1, 1>}> : (tensor<32x8xf32>) -> (tensor<32x1xf32>)
    %49 = "stablehlo.reshape"(%48) : (tensor<32x1xf32>) -> (tensor<32xf32>)
    %50 = "stablehlo.reshape"(%2) : (tensor<32xf32>) -> (tensor<32x1xf32>)
    %51 = "stablehlo.slice"(%47) <{limit_indices = array<i64: 32, 7>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<32x8xf32>) -> (tensor<32x7xf32>)
    %52 = "stablehlo.concatenate"(%50, %51) <{dimension = 1 : i64}> : (tensor<32x1xf32>, tensor<32x7xf32>) -> (tensor<32x8xf32>)
    %53 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 0>}> : (tensor<32xf32>) -> (tensor<32x8xf32>)
    %54 = "stablehlo.multiply"(%52, %53) : (tensor<32x8xf32>, tensor<32x8xf32>) -> (tensor<32x8xf32>)
    %55 = "stablehlo.reshape"(%47) : (tensor<32x8xf32>) -> (tensor<1x32x8xf32>)
    %56 = "stablehlo.reshape"(%55) : (tensor<1x32x8xf32>) -> (tensor<32x8xf32>)
    %57 = "stablehlo.transpose"(%56) <{permutation = array<i64: 1, 0>}> : (tensor<32x8xf32>) -> (tensor<8x32xf32>)
    %29 = "stablehlo.reshape"(%49) : (tensor<32xf32>) -> (tensor<32xf32>)
    %30 = "stablehlo.reverse"(%57) <{dimensions = array<i64: 0>}> : (tensor<8x32xf32>) -> (tensor<8x32xf32>)
    %31 = "stablehlo.reshape"(%30) : (tensor<8x32xf32>) -> (tensor<8x1x32xf32>)
    %32 = "stablehlo.reshape"(%31) : (tensor<8x1x32xf32>) -> (tensor<8x32xf32>)
    "stablehlo.return"(%29, %32) : (tensor<32xf32>, tensor<8x32xf32>) -> ()
  }
}
