// tolerance: 1e-06
// in: draw 9 -1 0.0078125 257
// in: draw 10 -1 0.0078125 257
// out: hash 74ecbf1584e95c51
// out: 118 118 118 119 118 118 119 118 119 118 118 118 118 118 118 119
// out: hash 18fe6bc63868f84e
// out: 111 111 111 111 112 111 111 112
// out: -0.384765625 -0.69921875 -4.62731934 0.60925293 3.44903564 4.29089355 0.343811035 0.923950195 -0.930175781 -0.401367188 1.42700195 -1.34790039 -4.64276123 -1.35620117 3.04602051 3.71533203 -5.25128174 1.3260498 -0.775634766 -3.9777832 -0.269104004 4.83886719 4.16882324 -0.834533691 -1.08691406 -3.12341309 -2.05529785 -4.78369141 -8.43835449 -2.47503662 -2.29589844 2.13818359
func.func @main(%a: tensor<64x8xbf16>, %b: tensor<4x64xbf16>) -> (tensor<16x8xui32>, tensor<2x8xui8>, tensor<4x16xui32>, tensor<4x2xui8>, tensor<8x4xf32>) {
  %q:2 = stablehlo.custom_call @QuantizeMX(%a) {backend_config = "{\22dim\22: 0, \22dtype\22: \22float8_e4m3fn\22}"} : (tensor<64x8xbf16>) -> (tensor<16x8xui32>, tensor<2x8xui8>)
  %r:2 = stablehlo.custom_call @QuantizeMX(%b) {backend_config = "{\22dim\22: -1, \22dtype\22: \22float8_e4m3fn\22}"} : (tensor<4x64xbf16>) -> (tensor<4x16xui32>, tensor<4x2xui8>)
  %s:2 = stablehlo.custom_call @QuantizeMX(%b) {backend_config = "{\22dim\22: 1, \22dtype\22: \22float8_e5m2\22}"} : (tensor<4x64xbf16>) -> (tensor<4x16xui32>, tensor<4x2xui8>)
  %p = stablehlo.custom_call @__op$block_scaled_dot(%q#0, %r#0, %q#1, %r#1) {backend_config = "{\22scaled_dot_backend_config\22: {\22lhs_contracting_dimensions\22: [0], \22rhs_contracting_dimensions\22: [1]}}"} : (tensor<16x8xui32>, tensor<4x16xui32>, tensor<2x8xui8>, tensor<4x2xui8>) -> tensor<8x4xf32>
  return %q#0, %q#1, %s#0, %s#1, %p : tensor<16x8xui32>, tensor<2x8xui8>, tensor<4x16xui32>, tensor<4x2xui8>, tensor<8x4xf32>
}
// -----
module @module {
  func.func public @main(%0: tensor<64x8xbf16>, %1: tensor<4x64xbf16>) -> (tensor<16x8xui32>, tensor<2x8xui8>, tensor<4x16xui32>, tensor<4x2xui8>, tensor<8x4xf32>) {
    %2, %3 = "stablehlo.call"(%0) <{callee = @"QuantizeMX {'dim': 0, 'dtype': 'float8_e4m3fn'} (tensor<64x8xbf16>) -> (tensor<16x8xui32>, tensor<2x8xui8>)"}> : (tensor<64x8xbf16>) -> (tensor<16x8xui32>, tensor<2x8xui8>)
    %4, %5 = "stablehlo.call"(%1) <{callee = @"QuantizeMX {'dim': -1, 'dtype': 'float8_e4m3fn'} (tensor<4x64xbf16>) -> (tensor<4x16xui32>, tensor<4x2xui8>)"}> : (tensor<4x64xbf16>) -> (tensor<4x16xui32>, tensor<4x2xui8>)
    %6, %7 = "stablehlo.call"(%1) <{callee = @"QuantizeMX {'dim': 1, 'dtype': 'float8_e5m2'} (tensor<4x64xbf16>) -> (tensor<4x16xui32>, tensor<4x2xui8>)"}> : (tensor<4x64xbf16>) -> (tensor<4x16xui32>, tensor<4x2xui8>)
    %8 = "stablehlo.call"(%2, %4, %3, %5) <{callee = @"__op$block_scaled_dot {'scaled_dot_backend_config': {'lhs_contracting_dimensions': [0], 'rhs_contracting_dimensions': [1]}} (tensor<16x8xui32>, tensor<4x16xui32>, tensor<2x8xui8>, tensor<4x2xui8>) -> (tensor<8x4xf32>)"}> : (tensor<16x8xui32>, tensor<4x16xui32>, tensor<2x8xui8>, tensor<4x2xui8>) -> (tensor<8x4xf32>)
    "stablehlo.return"(%2, %3, %6, %7, %8) : (tensor<16x8xui32>, tensor<2x8xui8>, tensor<4x16xui32>, tensor<4x2xui8>, tensor<8x4xf32>) -> ()
  }
  func.func private @"QuantizeMX {'dim': 0, 'dtype': 'float8_e4m3fn'} (tensor<64x8xbf16>) -> (tensor<16x8xui32>, tensor<2x8xui8>)"(%0: tensor<64x8xbf16>) -> (tensor<16x8xui32>, tensor<2x8xui8>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.constant"() <{value = dense<23> : tensor<2x8xi32>}> : () -> (tensor<2x8xi32>)
    %3 = "stablehlo.constant"() <{value = dense<8> : tensor<2x8xi32>}> : () -> (tensor<2x8xi32>)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<2x8xi32>}> : () -> (tensor<2x8xi32>)
    %5 = "stablehlo.constant"() <{value = dense<255> : tensor<2x8xi32>}> : () -> (tensor<2x8xi32>)
    %6 = "stablehlo.constant"() <{value = dense<254> : tensor<2x8xi32>}> : () -> (tensor<2x8xi32>)
    %7 = "stablehlo.constant"() <{value = dense<4.480000000e+02> : tensor<2x32x8xf32>}> : () -> (tensor<2x32x8xf32>)
    %8 = "stablehlo.constant"() <{value = dense<-4.480000000e+02> : tensor<2x32x8xf32>}> : () -> (tensor<2x32x8xf32>)
    %9 = "stablehlo.convert"(%0) : (tensor<64x8xbf16>) -> (tensor<64x8xf32>)
    %10 = "stablehlo.reshape"(%9) : (tensor<64x8xf32>) -> (tensor<2x32x8xf32>)
    %11 = "stablehlo.abs"(%10) : (tensor<2x32x8xf32>) -> (tensor<2x32x8xf32>)
    %12 = "stablehlo.reduce"(%11, %1) <{dimensions = array<i64: 1>}> ({
    ^bb0(%13: tensor<f32>, %14: tensor<f32>):
      %15 = "stablehlo.maximum"(%13, %14) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%15) : (tensor<f32>) -> ()
    }) : (tensor<2x32x8xf32>, tensor<f32>) -> (tensor<2x8xf32>)
    %16 = "stablehlo.bitcast_convert"(%12) : (tensor<2x8xf32>) -> (tensor<2x8xi32>)
    %17 = "stablehlo.shift_right_logical"(%16, %2) : (tensor<2x8xi32>, tensor<2x8xi32>) -> (tensor<2x8xi32>)
    %18 = "stablehlo.subtract"(%17, %3) : (tensor<2x8xi32>, tensor<2x8xi32>) -> (tensor<2x8xi32>)
    %19 = "stablehlo.maximum"(%18, %4) : (tensor<2x8xi32>, tensor<2x8xi32>) -> (tensor<2x8xi32>)
    %20 = "stablehlo.compare"(%17, %5) <{compare_type = "SIGNED", comparison_direction = "EQ"}> : (tensor<2x8xi32>, tensor<2x8xi32>) -> (tensor<2x8xi1>)
    %21 = "stablehlo.select"(%20, %5, %19) : (tensor<2x8xi1>, tensor<2x8xi32>, tensor<2x8xi32>) -> (tensor<2x8xi32>)
    %22 = "stablehlo.subtract"(%6, %19) : (tensor<2x8xi32>, tensor<2x8xi32>) -> (tensor<2x8xi32>)
    %23 = "stablehlo.shift_left"(%22, %2) : (tensor<2x8xi32>, tensor<2x8xi32>) -> (tensor<2x8xi32>)
    %24 = "stablehlo.bitcast_convert"(%23) : (tensor<2x8xi32>) -> (tensor<2x8xf32>)
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x8xf32>) -> (tensor<2x32x8xf32>)
    %26 = "stablehlo.multiply"(%10, %25) : (tensor<2x32x8xf32>, tensor<2x32x8xf32>) -> (tensor<2x32x8xf32>)
    %27 = "stablehlo.clamp"(%8, %26, %7) : (tensor<2x32x8xf32>, tensor<2x32x8xf32>, tensor<2x32x8xf32>) -> (tensor<2x32x8xf32>)
    %28 = "stablehlo.convert"(%27) : (tensor<2x32x8xf32>) -> (tensor<2x32x8xf8E4M3FN>)
    %29 = "stablehlo.reshape"(%28) : (tensor<2x32x8xf8E4M3FN>) -> (tensor<16x4x8xf8E4M3FN>)
    %30 = "stablehlo.transpose"(%29) <{permutation = array<i64: 0, 2, 1>}> : (tensor<16x4x8xf8E4M3FN>) -> (tensor<16x8x4xf8E4M3FN>)
    %31 = "stablehlo.bitcast_convert"(%30) : (tensor<16x8x4xf8E4M3FN>) -> (tensor<16x8xui32>)
    %32 = "stablehlo.convert"(%21) : (tensor<2x8xi32>) -> (tensor<2x8xui8>)
    %33 = "stablehlo.convert"(%32) : (tensor<2x8xui8>) -> (tensor<2x8xui8>)
    "stablehlo.return"(%31, %33) : (tensor<16x8xui32>, tensor<2x8xui8>) -> ()
  }
  func.func private @"QuantizeMX {'dim': -1, 'dtype': 'float8_e4m3fn'} (tensor<4x64xbf16>) -> (tensor<4x16xui32>, tensor<4x2xui8>)"(%0: tensor<4x64xbf16>) -> (tensor<4x16xui32>, tensor<4x2xui8>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.constant"() <{value = dense<23> : tensor<4x2xi32>}> : () -> (tensor<4x2xi32>)
    %3 = "stablehlo.constant"() <{value = dense<8> : tensor<4x2xi32>}> : () -> (tensor<4x2xi32>)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<4x2xi32>}> : () -> (tensor<4x2xi32>)
    %5 = "stablehlo.constant"() <{value = dense<255> : tensor<4x2xi32>}> : () -> (tensor<4x2xi32>)
    %6 = "stablehlo.constant"() <{value = dense<254> : tensor<4x2xi32>}> : () -> (tensor<4x2xi32>)
    %7 = "stablehlo.constant"() <{value = dense<4.480000000e+02> : tensor<4x2x32xf32>}> : () -> (tensor<4x2x32xf32>)
    %8 = "stablehlo.constant"() <{value = dense<-4.480000000e+02> : tensor<4x2x32xf32>}> : () -> (tensor<4x2x32xf32>)
    %9 = "stablehlo.convert"(%0) : (tensor<4x64xbf16>) -> (tensor<4x64xf32>)
    %10 = "stablehlo.reshape"(%9) : (tensor<4x64xf32>) -> (tensor<4x2x32xf32>)
    %11 = "stablehlo.abs"(%10) : (tensor<4x2x32xf32>) -> (tensor<4x2x32xf32>)
    %12 = "stablehlo.reduce"(%11, %1) <{dimensions = array<i64: 2>}> ({
    ^bb0(%13: tensor<f32>, %14: tensor<f32>):
      %15 = "stablehlo.maximum"(%13, %14) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%15) : (tensor<f32>) -> ()
    }) : (tensor<4x2x32xf32>, tensor<f32>) -> (tensor<4x2xf32>)
    %16 = "stablehlo.bitcast_convert"(%12) : (tensor<4x2xf32>) -> (tensor<4x2xi32>)
    %17 = "stablehlo.shift_right_logical"(%16, %2) : (tensor<4x2xi32>, tensor<4x2xi32>) -> (tensor<4x2xi32>)
    %18 = "stablehlo.subtract"(%17, %3) : (tensor<4x2xi32>, tensor<4x2xi32>) -> (tensor<4x2xi32>)
    %19 = "stablehlo.maximum"(%18, %4) : (tensor<4x2xi32>, tensor<4x2xi32>) -> (tensor<4x2xi32>)
    %20 = "stablehlo.compare"(%17, %5) <{compare_type = "SIGNED", comparison_direction = "EQ"}> : (tensor<4x2xi32>, tensor<4x2xi32>) -> (tensor<4x2xi1>)
    %21 = "stablehlo.select"(%20, %5, %19) : (tensor<4x2xi1>, tensor<4x2xi32>, tensor<4x2xi32>) -> (tensor<4x2xi32>)
    %22 = "stablehlo.subtract"(%6, %19) : (tensor<4x2xi32>, tensor<4x2xi32>) -> (tensor<4x2xi32>)
    %23 = "stablehlo.shift_left"(%22, %2) : (tensor<4x2xi32>, tensor<4x2xi32>) -> (tensor<4x2xi32>)
    %24 = "stablehlo.bitcast_convert"(%23) : (tensor<4x2xi32>) -> (tensor<4x2xf32>)
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x2xf32>) -> (tensor<4x2x32xf32>)
    %26 = "stablehlo.multiply"(%10, %25) : (tensor<4x2x32xf32>, tensor<4x2x32xf32>) -> (tensor<4x2x32xf32>)
    %27 = "stablehlo.clamp"(%8, %26, %7) : (tensor<4x2x32xf32>, tensor<4x2x32xf32>, tensor<4x2x32xf32>) -> (tensor<4x2x32xf32>)
    %28 = "stablehlo.convert"(%27) : (tensor<4x2x32xf32>) -> (tensor<4x2x32xf8E4M3FN>)
    %29 = "stablehlo.reshape"(%28) : (tensor<4x2x32xf8E4M3FN>) -> (tensor<4x16x4xf8E4M3FN>)
    %30 = "stablehlo.transpose"(%29) <{permutation = array<i64: 0, 1, 2>}> : (tensor<4x16x4xf8E4M3FN>) -> (tensor<4x16x4xf8E4M3FN>)
    %31 = "stablehlo.bitcast_convert"(%30) : (tensor<4x16x4xf8E4M3FN>) -> (tensor<4x16xui32>)
    %32 = "stablehlo.convert"(%21) : (tensor<4x2xi32>) -> (tensor<4x2xui8>)
    %33 = "stablehlo.convert"(%32) : (tensor<4x2xui8>) -> (tensor<4x2xui8>)
    "stablehlo.return"(%31, %33) : (tensor<4x16xui32>, tensor<4x2xui8>) -> ()
  }
  func.func private @"QuantizeMX {'dim': 1, 'dtype': 'float8_e5m2'} (tensor<4x64xbf16>) -> (tensor<4x16xui32>, tensor<4x2xui8>)"(%0: tensor<4x64xbf16>) -> (tensor<4x16xui32>, tensor<4x2xui8>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.constant"() <{value = dense<23> : tensor<4x2xi32>}> : () -> (tensor<4x2xi32>)
    %3 = "stablehlo.constant"() <{value = dense<15> : tensor<4x2xi32>}> : () -> (tensor<4x2xi32>)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<4x2xi32>}> : () -> (tensor<4x2xi32>)
    %5 = "stablehlo.constant"() <{value = dense<255> : tensor<4x2xi32>}> : () -> (tensor<4x2xi32>)
    %6 = "stablehlo.constant"() <{value = dense<254> : tensor<4x2xi32>}> : () -> (tensor<4x2xi32>)
    %7 = "stablehlo.constant"() <{value = dense<5.734400000e+04> : tensor<4x2x32xf32>}> : () -> (tensor<4x2x32xf32>)
    %8 = "stablehlo.constant"() <{value = dense<-5.734400000e+04> : tensor<4x2x32xf32>}> : () -> (tensor<4x2x32xf32>)
    %9 = "stablehlo.convert"(%0) : (tensor<4x64xbf16>) -> (tensor<4x64xf32>)
    %10 = "stablehlo.reshape"(%9) : (tensor<4x64xf32>) -> (tensor<4x2x32xf32>)
    %11 = "stablehlo.abs"(%10) : (tensor<4x2x32xf32>) -> (tensor<4x2x32xf32>)
    %12 = "stablehlo.reduce"(%11, %1) <{dimensions = array<i64: 2>}> ({
    ^bb0(%13: tensor<f32>, %14: tensor<f32>):
      %15 = "stablehlo.maximum"(%13, %14) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%15) : (tensor<f32>) -> ()
    }) : (tensor<4x2x32xf32>, tensor<f32>) -> (tensor<4x2xf32>)
    %16 = "stablehlo.bitcast_convert"(%12) : (tensor<4x2xf32>) -> (tensor<4x2xi32>)
    %17 = "stablehlo.shift_right_logical"(%16, %2) : (tensor<4x2xi32>, tensor<4x2xi32>) -> (tensor<4x2xi32>)
    %18 = "stablehlo.subtract"(%17, %3) : (tensor<4x2xi32>, tensor<4x2xi32>) -> (tensor<4x2xi32>)
    %19 = "stablehlo.maximum"(%18, %4) : (tensor<4x2xi32>, tensor<4x2xi32>) -> (tensor<4x2xi32>)
    %20 = "stablehlo.compare"(%17, %5) <{compare_type = "SIGNED", comparison_direction = "EQ"}> : (tensor<4x2xi32>, tensor<4x2xi32>) -> (tensor<4x2xi1>)
    %21 = "stablehlo.select"(%20, %5, %19) : (tensor<4x2xi1>, tensor<4x2xi32>, tensor<4x2xi32>) -> (tensor<4x2xi32>)
    %22 = "stablehlo.subtract"(%6, %19) : (tensor<4x2xi32>, tensor<4x2xi32>) -> (tensor<4x2xi32>)
    %23 = "stablehlo.shift_left"(%22, %2) : (tensor<4x2xi32>, tensor<4x2xi32>) -> (tensor<4x2xi32>)
    %24 = "stablehlo.bitcast_convert"(%23) : (tensor<4x2xi32>) -> (tensor<4x2xf32>)
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x2xf32>) -> (tensor<4x2x32xf32>)
    %26 = "stablehlo.multiply"(%10, %25) : (tensor<4x2x32xf32>, tensor<4x2x32xf32>) -> (tensor<4x2x32xf32>)
    %27 = "stablehlo.clamp"(%8, %26, %7) : (tensor<4x2x32xf32>, tensor<4x2x32xf32>, tensor<4x2x32xf32>) -> (tensor<4x2x32xf32>)
    %28 = "stablehlo.convert"(%27) : (tensor<4x2x32xf32>) -> (tensor<4x2x32xf8E5M2>)
    %29 = "stablehlo.reshape"(%28) : (tensor<4x2x32xf8E5M2>) -> (tensor<4x16x4xf8E5M2>)
    %30 = "stablehlo.transpose"(%29) <{permutation = array<i64: 0, 1, 2>}> : (tensor<4x16x4xf8E5M2>) -> (tensor<4x16x4xf8E5M2>)
    %31 = "stablehlo.bitcast_convert"(%30) : (tensor<4x16x4xf8E5M2>) -> (tensor<4x16xui32>)
    %32 = "stablehlo.convert"(%21) : (tensor<4x2xi32>) -> (tensor<4x2xui8>)
    %33 = "stablehlo.convert"(%32) : (tensor<4x2xui8>) -> (tensor<4x2xui8>)
    "stablehlo.return"(%31, %33) : (tensor<4x16xui32>, tensor<4x2xui8>) -> ()
  }
  func.func private @"__op$block_scaled_dot {'scaled_dot_backend_config': {'lhs_contracting_dimensions': [0], 'rhs_contracting_dimensions': [1]}} (tensor<16x8xui32>, tensor<4x16xui32>, tensor<2x8xui8>, tensor<4x2xui8>) -> (tensor<8x4xf32>)"(%0: tensor<16x8xui32>, %1: tensor<4x16xui32>, %2: tensor<2x8xui8>, %3: tensor<4x2xui8>) -> (tensor<8x4xf32>) {
    %4 = "stablehlo.bitcast_convert"(%0) : (tensor<16x8xui32>) -> (tensor<16x8x4xf8E4M3FN>)
    %5 = "stablehlo.transpose"(%4) <{permutation = array<i64: 0, 2, 1>}> : (tensor<16x8x4xf8E4M3FN>) -> (tensor<16x4x8xf8E4M3FN>)
    %6 = "stablehlo.reshape"(%5) : (tensor<16x4x8xf8E4M3FN>) -> (tensor<64x8xf8E4M3FN>)
    %7 = "stablehlo.bitcast_convert"(%2) : (tensor<2x8xui8>) -> (tensor<2x8xf8E8M0FNU>)
    %8 = "stablehlo.reshape"(%6) : (tensor<64x8xf8E4M3FN>) -> (tensor<64x8xf8E4M3FN>)
    %9 = "stablehlo.reshape"(%7) : (tensor<2x8xf8E8M0FNU>) -> (tensor<2x8xf8E8M0FNU>)
    %10 = "stablehlo.bitcast_convert"(%1) : (tensor<4x16xui32>) -> (tensor<4x16x4xf8E4M3FN>)
    %11 = "stablehlo.transpose"(%10) <{permutation = array<i64: 0, 1, 2>}> : (tensor<4x16x4xf8E4M3FN>) -> (tensor<4x16x4xf8E4M3FN>)
    %12 = "stablehlo.reshape"(%11) : (tensor<4x16x4xf8E4M3FN>) -> (tensor<4x64xf8E4M3FN>)
    %13 = "stablehlo.bitcast_convert"(%3) : (tensor<4x2xui8>) -> (tensor<4x2xf8E8M0FNU>)
    %14 = "stablehlo.reshape"(%12) : (tensor<4x64xf8E4M3FN>) -> (tensor<4x64xf8E4M3FN>)
    %15 = "stablehlo.reshape"(%13) : (tensor<4x2xf8E8M0FNU>) -> (tensor<4x2xf8E8M0FNU>)
    %16 = "stablehlo.composite"(%8, %14, %9, %15) <{composite_attributes = {}, decomposition = @"__op$block_scaled_dot {'scaled_dot_backend_config': {'lhs_contracting_dimensions': [0], 'rhs_contracting_dimensions': [1]}} (tensor<16x8xui32>, tensor<4x16xui32>, tensor<2x8xui8>, tensor<4x2xui8>) -> (tensor<8x4xf32>) product", name = "xla.scaled_dot", version = 0 : i64}> : (tensor<64x8xf8E4M3FN>, tensor<4x64xf8E4M3FN>, tensor<2x8xf8E8M0FNU>, tensor<4x2xf8E8M0FNU>) -> (tensor<8x4xf32>)
    %17 = "stablehlo.reshape"(%16) : (tensor<8x4xf32>) -> (tensor<8x4xf32>)
    "stablehlo.return"(%17) : (tensor<8x4xf32>) -> ()
  }
  func.func private @"__op$block_scaled_dot {'scaled_dot_backend_config': {'lhs_contracting_dimensions': [0], 'rhs_contracting_dimensions': [1]}} (tensor<16x8xui32>, tensor<4x16xui32>, tensor<2x8xui8>, tensor<4x2xui8>) -> (tensor<8x4xf32>) product"(%0: tensor<64x8xf8E4M3FN>, %1: tensor<4x64xf8E4M3FN>, %2: tensor<2x8xf8E8M0FNU>, %3: tensor<4x2xf8E8M0FNU>) -> (tensor<8x4xf32>) {
    %4 = "stablehlo.convert"(%0) : (tensor<64x8xf8E4M3FN>) -> (tensor<64x8xf32>)
    %5 = "stablehlo.convert"(%2) : (tensor<2x8xf8E8M0FNU>) -> (tensor<2x8xf32>)
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x8xf32>) -> (tensor<2x32x8xf32>)
    %7 = "stablehlo.reshape"(%6) : (tensor<2x32x8xf32>) -> (tensor<64x8xf32>)
    %8 = "stablehlo.multiply"(%4, %7) : (tensor<64x8xf32>, tensor<64x8xf32>) -> (tensor<64x8xf32>)
    %9 = "stablehlo.convert"(%1) : (tensor<4x64xf8E4M3FN>) -> (tensor<4x64xf32>)
    %10 = "stablehlo.convert"(%3) : (tensor<4x2xf8E8M0FNU>) -> (tensor<4x2xf32>)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x2xf32>) -> (tensor<4x2x32xf32>)
    %12 = "stablehlo.reshape"(%11) : (tensor<4x2x32xf32>) -> (tensor<4x64xf32>)
    %13 = "stablehlo.multiply"(%9, %12) : (tensor<4x64xf32>, tensor<4x64xf32>) -> (tensor<4x64xf32>)
    %14 = "stablehlo.dot_general"(%8, %13) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 0>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 1>}> : (tensor<64x8xf32>, tensor<4x64xf32>) -> (tensor<8x4xf32>)
    "stablehlo.return"(%14) : (tensor<8x4xf32>) -> ()
  }
}
