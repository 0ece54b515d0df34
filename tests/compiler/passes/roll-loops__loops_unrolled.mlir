// tolerance: 1e-06
// in: draw 4 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<12x32xf32>) -> (tensor<32xf32>, tensor<12x32xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<32xf32>)
    %3 = "stablehlo.reshape"(%0) : (tensor<12x32xf32>) -> (tensor<3x4x32xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3x4x32xf32>)
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %7, %8, %9, %10 = "stablehlo.while"(%3, %6, %2, %5) ({
    ^bb0(%11: tensor<3x4x32xf32>, %12: tensor<i32>, %13: tensor<32xf32>, %14: tensor<3x4x32xf32>):
      %15 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> (tensor<i32>)
      %16 = "stablehlo.compare"(%12, %15) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%16) : (tensor<i1>) -> ()
    }, {
    ^bb0(%17: tensor<3x4x32xf32>, %18: tensor<i32>, %19: tensor<32xf32>, %20: tensor<3x4x32xf32>):
      %47 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %48 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %49 = "stablehlo.dynamic_slice"(%17, %18, %47, %48) <{slice_sizes = array<i64: 1, 4, 32>}> : (tensor<3x4x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x4x32xf32>)
      %50 = "stablehlo.reshape"(%49) : (tensor<1x4x32xf32>) -> (tensor<4x32xf32>)
      %22 = "stablehlo.slice"(%50) <{limit_indices = array<i64: 1, 32>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x32xf32>) -> (tensor<1x32xf32>)
      %23 = "stablehlo.reshape"(%22) : (tensor<1x32xf32>) -> (tensor<32xf32>)
      %51 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
      %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<32xf32>)
      %53 = "stablehlo.multiply"(%19, %52) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>)
      %54 = "stablehlo.add"(%53, %23) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>)
      %26 = "stablehlo.slice"(%50) <{limit_indices = array<i64: 2, 32>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 1>}> : (tensor<4x32xf32>) -> (tensor<1x32xf32>)
      %27 = "stablehlo.reshape"(%26) : (tensor<1x32xf32>) -> (tensor<32xf32>)
      %55 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
      %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<32xf32>)
      %57 = "stablehlo.multiply"(%54, %56) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>)
      %58 = "stablehlo.add"(%57, %27) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>)
      %30 = "stablehlo.slice"(%50) <{limit_indices = array<i64: 3, 32>, start_indices = array<i64: 2, 0>, strides = array<i64: 1, 1>}> : (tensor<4x32xf32>) -> (tensor<1x32xf32>)
      %31 = "stablehlo.reshape"(%30) : (tensor<1x32xf32>) -> (tensor<32xf32>)
      %59 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
      %60 = "stablehlo.broadcast_in_dim"(%59) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<32xf32>)
      %61 = "stablehlo.multiply"(%58, %60) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>)
      %62 = "stablehlo.add"(%61, %31) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>)
      %34 = "stablehlo.slice"(%50) <{limit_indices = array<i64: 4, 32>, start_indices = array<i64: 3, 0>, strides = array<i64: 1, 1>}> : (tensor<4x32xf32>) -> (tensor<1x32xf32>)
      %35 = "stablehlo.reshape"(%34) : (tensor<1x32xf32>) -> (tensor<32xf32>)
      %63 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
      %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<32xf32>)
      %65 = "stablehlo.multiply"(%62, %64) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>)
      %66 = "stablehlo.add"(%65, %35) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>)
      %38 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 1>}> : (tensor<32xf32>) -> (tensor<1x32xf32>)
      %39 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64: 1>}> : (tensor<32xf32>) -> (tensor<1x32xf32>)
      %40 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64: 1>}> : (tensor<32xf32>) -> (tensor<1x32xf32>)
      %41 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64: 1>}> : (tensor<32xf32>) -> (tensor<1x32xf32>)
      %42 = "stablehlo.concatenate"(%38, %39, %40, %41) <{dimension = 0 : i64}> : (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>) -> (tensor<4x32xf32>)
      %67 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x32xf32>) -> (tensor<1x4x32xf32>)
      %68 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %69 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %70 = "stablehlo.dynamic_update_slice"(%20, %67, %18, %68, %69) : (tensor<3x4x32xf32>, tensor<1x4x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<3x4x32xf32>)
      %44 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %45 = "stablehlo.add"(%18, %44) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%17, %45, %66, %70) : (tensor<3x4x32xf32>, tensor<i32>, tensor<32xf32>, tensor<3x4x32xf32>) -> ()
    }) : (tensor<3x4x32xf32>, tensor<i32>, tensor<32xf32>, tensor<3x4x32xf32>) -> (tensor<3x4x32xf32>, tensor<i32>, tensor<32xf32>, tensor<3x4x32xf32>)
    %46 = "stablehlo.reshape"(%10) : (tensor<3x4x32xf32>) -> (tensor<12x32xf32>)
    "stablehlo.return"(%9, %46) : (tensor<32xf32>, tensor<12x32xf32>) -> ()
  }
  func.func private @dynamic_index_in_dim(%0: tensor<3x4x32xf32>, %1: tensor<i32>) -> (tensor<4x32xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.dynamic_slice"(%0, %1, %2, %3) <{slice_sizes = array<i64: 1, 4, 32>}> : (tensor<3x4x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x4x32xf32>)
    %5 = "stablehlo.reshape"(%4) : (tensor<1x4x32xf32>) -> (tensor<4x32xf32>)
    "stablehlo.return"(%5) : (tensor<4x32xf32>) -> ()
  }
  func.func private @closed_call(%0: tensor<32xf32>, %1: tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<32xf32>)
    %4 = "stablehlo.multiply"(%0, %3) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>)
    %5 = "stablehlo.add"(%4, %1) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>)
    "stablehlo.return"(%5, %0) : (tensor<32xf32>, tensor<32xf32>) -> ()
  }
  func.func private @dynamic_update_index_in_dim(%0: tensor<3x4x32xf32>, %1: tensor<4x32xf32>, %2: tensor<i32>) -> (tensor<3x4x32xf32>) {
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x32xf32>) -> (tensor<1x4x32xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %6 = "stablehlo.dynamic_update_slice"(%0, %3, %2, %4, %5) : (tensor<3x4x32xf32>, tensor<1x4x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<3x4x32xf32>)
    "stablehlo.return"(%6) : (tensor<3x4x32xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<12x32xf32>) -> (tensor<32xf32>, tensor<12x32xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<32xf32>)
    %3 = "stablehlo.reshape"(%0) : (tensor<12x32xf32>) -> (tensor<3x4x32xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3x4x32xf32>)
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %67 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %70 = "stablehlo.reshape"(%3) : (tensor<3x4x32xf32>) -> (tensor<12x32xf32>)
    %77 = "stablehlo.reshape"(%5) : (tensor<3x4x32xf32>) -> (tensor<12x32xf32>)
    %78, %79, %7, %9, %82 = "stablehlo.while"(%67, %70, %3, %2, %77) ({
    ^bb0(%83: tensor<i32>, %84: tensor<12x32xf32>, %85: tensor<3x4x32xf32>, %86: tensor<32xf32>, %87: tensor<12x32xf32>):
      %88 = "stablehlo.constant"() <{value = dense<12> : tensor<i32>}> : () -> (tensor<i32>)
      %89 = "stablehlo.compare"(%83, %88) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%89) : (tensor<i1>) -> ()
    }, {
    ^bb0(%18: tensor<i32>, %71: tensor<12x32xf32>, %17: tensor<3x4x32xf32>, %19: tensor<32xf32>, %73: tensor<12x32xf32>):
      %68 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %69 = "stablehlo.add"(%18, %68) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      %72 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %25 = "stablehlo.dynamic_slice"(%71, %18, %72) <{slice_sizes = array<i64: 1, 32>}> : (tensor<12x32xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x32xf32>)
      %26 = "stablehlo.reshape"(%25) : (tensor<1x32xf32>) -> (tensor<32xf32>)
      %27 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
      %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<32xf32>)
      %29 = "stablehlo.multiply"(%19, %28) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>)
      %30 = "stablehlo.add"(%29, %26) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>)
      %74 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %75 = "stablehlo.reshape"(%19) : (tensor<32xf32>) -> (tensor<1x32xf32>)
      %76 = "stablehlo.dynamic_update_slice"(%73, %75, %18, %74) : (tensor<12x32xf32>, tensor<1x32xf32>, tensor<i32>, tensor<i32>) -> (tensor<12x32xf32>)
      "stablehlo.return"(%69, %71, %17, %30, %76) : (tensor<i32>, tensor<12x32xf32>, tensor<3x4x32xf32>, tensor<32xf32>, tensor<12x32xf32>) -> ()
    }) : (tensor<i32>, tensor<12x32xf32>, tensor<3x4x32xf32>, tensor<32xf32>, tensor<12x32xf32>) -> (tensor<i32>, tensor<12x32xf32>, tensor<3x4x32xf32>, tensor<32xf32>, tensor<12x32xf32>)
    %8 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> (tensor<i32>)
    %10 = "stablehlo.reshape"(%82) : (tensor<12x32xf32>) -> (tensor<3x4x32xf32>)
    %60 = "stablehlo.reshape"(%10) : (tensor<3x4x32xf32>) -> (tensor<12x32xf32>)
    "stablehlo.return"(%9, %60) : (tensor<32xf32>, tensor<12x32xf32>) -> ()
  }
  func.func private @dynamic_index_in_dim(%0: tensor<3x4x32xf32>, %1: tensor<i32>) -> (tensor<4x32xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.dynamic_slice"(%0, %1, %2, %3) <{slice_sizes = array<i64: 1, 4, 32>}> : (tensor<3x4x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x4x32xf32>)
    %5 = "stablehlo.reshape"(%4) : (tensor<1x4x32xf32>) -> (tensor<4x32xf32>)
    "stablehlo.return"(%5) : (tensor<4x32xf32>) -> ()
  }
  func.func private @closed_call(%0: tensor<32xf32>, %1: tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<32xf32>)
    %4 = "stablehlo.multiply"(%0, %3) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>)
    %5 = "stablehlo.add"(%4, %1) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>)
    "stablehlo.return"(%5, %0) : (tensor<32xf32>, tensor<32xf32>) -> ()
  }
  func.func private @dynamic_update_index_in_dim(%0: tensor<3x4x32xf32>, %1: tensor<4x32xf32>, %2: tensor<i32>) -> (tensor<3x4x32xf32>) {
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x32xf32>) -> (tensor<1x4x32xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %6 = "stablehlo.dynamic_update_slice"(%0, %3, %2, %4, %5) : (tensor<3x4x32xf32>, tensor<1x4x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<3x4x32xf32>)
    "stablehlo.return"(%6) : (tensor<3x4x32xf32>) -> ()
  }
}
