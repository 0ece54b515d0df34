// tolerance: 0.001
// in: draw 2 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<3x512xf32>) -> (tensor<512xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<512xf32>)
    %3 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3x512x512xf32>)
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %6, %7, %8, %9 = "stablehlo.while"(%0, %5, %2, %4) ({
    ^bb0(%10: tensor<3x512xf32>, %11: tensor<i32>, %12: tensor<512xf32>, %13: tensor<3x512x512xf32>):
      %14 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> (tensor<i32>)
      %15 = "stablehlo.compare"(%11, %14) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%15) : (tensor<i1>) -> ()
    }, {
    ^bb0(%16: tensor<3x512xf32>, %17: tensor<i32>, %18: tensor<512xf32>, %19: tensor<3x512x512xf32>):
      %42 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %43 = "stablehlo.dynamic_slice"(%16, %17, %42) <{slice_sizes = array<i64: 1, 512>}> : (tensor<3x512xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x512xf32>)
      %44 = "stablehlo.reshape"(%43) : (tensor<1x512xf32>) -> (tensor<512xf32>)
      %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 0>}> : (tensor<512xf32>) -> (tensor<512x1xf32>)
      %46 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 1>}> : (tensor<512xf32>) -> (tensor<1x512xf32>)
      %47 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<512x1xf32>) -> (tensor<512x512xf32>)
      %48 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x512xf32>) -> (tensor<512x512xf32>)
      %49 = "stablehlo.multiply"(%47, %48) : (tensor<512x512xf32>, tensor<512x512xf32>) -> (tensor<512x512xf32>)
      %50 = "stablehlo.exponential"(%49) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<512x512xf32>) -> (tensor<512x512xf32>)
      %51 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
      %55 = "stablehlo.reduce"(%50, %51) <{dimensions = array<i64: 0>}> ({
      ^bb0(%52: tensor<f32>, %53: tensor<f32>):
        %54 = "stablehlo.add"(%52, %53) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
        "stablehlo.return"(%54) : (tensor<f32>) -> ()
      }) : (tensor<512x512xf32>, tensor<f32>) -> (tensor<512xf32>)
      %56 = "stablehlo.add"(%18, %55) : (tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>)
      %57 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<512x512xf32>) -> (tensor<1x512x512xf32>)
      %58 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %59 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %60 = "stablehlo.dynamic_update_slice"(%19, %57, %17, %58, %59) : (tensor<3x512x512xf32>, tensor<1x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<3x512x512xf32>)
      %24 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %25 = "stablehlo.add"(%17, %24) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%16, %25, %56, %60) : (tensor<3x512xf32>, tensor<i32>, tensor<512xf32>, tensor<3x512x512xf32>) -> ()
    }) : (tensor<3x512xf32>, tensor<i32>, tensor<512xf32>, tensor<3x512x512xf32>) -> (tensor<3x512xf32>, tensor<i32>, tensor<512xf32>, tensor<3x512x512xf32>)
    %26 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %27, %28, %29 = "stablehlo.while"(%9, %26, %8) ({
    ^bb0(%30: tensor<3x512x512xf32>, %31: tensor<i32>, %32: tensor<512xf32>):
      %33 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> (tensor<i32>)
      %34 = "stablehlo.compare"(%31, %33) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%34) : (tensor<i1>) -> ()
    }, {
    ^bb0(%35: tensor<3x512x512xf32>, %36: tensor<i32>, %37: tensor<512xf32>):
      %61 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %62 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %63 = "stablehlo.dynamic_slice"(%35, %36, %61, %62) <{slice_sizes = array<i64: 1, 512, 512>}> : (tensor<3x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x512x512xf32>)
      %64 = "stablehlo.reshape"(%63) : (tensor<1x512x512xf32>) -> (tensor<512x512xf32>)
      %65 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
      %66 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<512xf32>)
      %67 = "stablehlo.multiply"(%37, %66) : (tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>)
      %68 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
      %72 = "stablehlo.reduce"(%64, %68) <{dimensions = array<i64: 1>}> ({
      ^bb0(%69: tensor<f32>, %70: tensor<f32>):
        %71 = "stablehlo.add"(%69, %70) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
        "stablehlo.return"(%71) : (tensor<f32>) -> ()
      }) : (tensor<512x512xf32>, tensor<f32>) -> (tensor<512xf32>)
      %73 = "stablehlo.add"(%67, %72) : (tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>)
      %40 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %41 = "stablehlo.add"(%36, %40) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%35, %41, %73) : (tensor<3x512x512xf32>, tensor<i32>, tensor<512xf32>) -> ()
    }) : (tensor<3x512x512xf32>, tensor<i32>, tensor<512xf32>) -> (tensor<3x512x512xf32>, tensor<i32>, tensor<512xf32>)
    "stablehlo.return"(%29) : (tensor<512xf32>) -> ()
  }
  func.func private @dynamic_index_in_dim(%0: tensor<3x512xf32>, %1: tensor<i32>) -> (tensor<512xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.dynamic_slice"(%0, %1, %2) <{slice_sizes = array<i64: 1, 512>}> : (tensor<3x512xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x512xf32>)
    %4 = "stablehlo.reshape"(%3) : (tensor<1x512xf32>) -> (tensor<512xf32>)
    "stablehlo.return"(%4) : (tensor<512xf32>) -> ()
  }
  func.func private @closed_call(%0: tensor<512xf32>, %1: tensor<512xf32>) -> (tensor<512xf32>, tensor<512x512xf32>) {
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0>}> : (tensor<512xf32>) -> (tensor<512x1xf32>)
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<512xf32>) -> (tensor<1x512xf32>)
    %4 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<512x1xf32>) -> (tensor<512x512xf32>)
    %5 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x512xf32>) -> (tensor<512x512xf32>)
    %6 = "stablehlo.multiply"(%4, %5) : (tensor<512x512xf32>, tensor<512x512xf32>) -> (tensor<512x512xf32>)
    %7 = "stablehlo.exponential"(%6) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<512x512xf32>) -> (tensor<512x512xf32>)
    %8 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %9 = "stablehlo.reduce"(%7, %8) <{dimensions = array<i64: 0>}> ({
    ^bb0(%10: tensor<f32>, %11: tensor<f32>):
      %12 = "stablehlo.add"(%10, %11) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%12) : (tensor<f32>) -> ()
    }) : (tensor<512x512xf32>, tensor<f32>) -> (tensor<512xf32>)
    %13 = "stablehlo.add"(%0, %9) : (tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>)
    "stablehlo.return"(%13, %7) : (tensor<512xf32>, tensor<512x512xf32>) -> ()
  }
  func.func private @dynamic_update_index_in_dim(%0: tensor<3x512x512xf32>, %1: tensor<512x512xf32>, %2: tensor<i32>) -> (tensor<3x512x512xf32>) {
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<512x512xf32>) -> (tensor<1x512x512xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %6 = "stablehlo.dynamic_update_slice"(%0, %3, %2, %4, %5) : (tensor<3x512x512xf32>, tensor<1x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<3x512x512xf32>)
    "stablehlo.return"(%6) : (tensor<3x512x512xf32>) -> ()
  }
  func.func private @dynamic_index_in_dim_0(%0: tensor<3x512x512xf32>, %1: tensor<i32>) -> (tensor<512x512xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.dynamic_slice"(%0, %1, %2, %3) <{slice_sizes = array<i64: 1, 512, 512>}> : (tensor<3x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x512x512xf32>)
    %5 = "stablehlo.reshape"(%4) : (tensor<1x512x512xf32>) -> (tensor<512x512xf32>)
    "stablehlo.return"(%5) : (tensor<512x512xf32>) -> ()
  }
  func.func private @closed_call_1(%0: tensor<512xf32>, %1: tensor<512x512xf32>) -> (tensor<512xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<512xf32>)
    %4 = "stablehlo.multiply"(%0, %3) : (tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>)
    %5 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %6 = "stablehlo.reduce"(%1, %5) <{dimensions = array<i64: 1>}> ({
    ^bb0(%7: tensor<f32>, %8: tensor<f32>):
      %9 = "stablehlo.add"(%7, %8) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%9) : (tensor<f32>) -> ()
    }) : (tensor<512x512xf32>, tensor<f32>) -> (tensor<512xf32>)
    %10 = "stablehlo.add"(%4, %6) : (tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>)
    "stablehlo.return"(%10) : (tensor<512xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<3x512xf32>) -> (tensor<512xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<512xf32>)
    %3 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3x512x512xf32>)
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %6, %7, %8 = "stablehlo.while"(%0, %5, %2) ({
    ^bb0(%10: tensor<3x512xf32>, %11: tensor<i32>, %12: tensor<512xf32>):
      %14 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> (tensor<i32>)
      %15 = "stablehlo.compare"(%11, %14) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%15) : (tensor<i1>) -> ()
    }, {
    ^bb0(%16: tensor<3x512xf32>, %17: tensor<i32>, %18: tensor<512xf32>):
      %20 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %21 = "stablehlo.dynamic_slice"(%16, %17, %20) <{slice_sizes = array<i64: 1, 512>}> : (tensor<3x512xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x512xf32>)
      %22 = "stablehlo.reshape"(%21) : (tensor<1x512xf32>) -> (tensor<512xf32>)
      %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 0>}> : (tensor<512xf32>) -> (tensor<512x1xf32>)
      %24 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 1>}> : (tensor<512xf32>) -> (tensor<1x512xf32>)
      %25 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<512x1xf32>) -> (tensor<512x512xf32>)
      %26 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x512xf32>) -> (tensor<512x512xf32>)
      %27 = "stablehlo.multiply"(%25, %26) : (tensor<512x512xf32>, tensor<512x512xf32>) -> (tensor<512x512xf32>)
      %28 = "stablehlo.exponential"(%27) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<512x512xf32>) -> (tensor<512x512xf32>)
      %29 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
      %30 = "stablehlo.reduce"(%28, %29) <{dimensions = array<i64: 0>}> ({
      ^bb0(%31: tensor<f32>, %32: tensor<f32>):
        %33 = "stablehlo.add"(%31, %32) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
        "stablehlo.return"(%33) : (tensor<f32>) -> ()
      }) : (tensor<512x512xf32>, tensor<f32>) -> (tensor<512xf32>)
      %34 = "stablehlo.add"(%18, %30) : (tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>)
      %39 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %40 = "stablehlo.add"(%17, %39) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%16, %40, %34) : (tensor<3x512xf32>, tensor<i32>, tensor<512xf32>) -> ()
    }) : (tensor<3x512xf32>, tensor<i32>, tensor<512xf32>) -> (tensor<3x512xf32>, tensor<i32>, tensor<512xf32>)
    %41 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %43, %44 = "stablehlo.while"(%41, %8) ({
    ^bb0(%46: tensor<i32>, %47: tensor<512xf32>):
      %48 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> (tensor<i32>)
      %49 = "stablehlo.compare"(%46, %48) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%49) : (tensor<i1>) -> ()
    }, {
    ^bb0(%51: tensor<i32>, %52: tensor<512xf32>):
      %69 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %68 = "stablehlo.dynamic_slice"(%0, %51, %69) <{slice_sizes = array<i64: 1, 512>}> : (tensor<3x512xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x512xf32>)
      %70 = "stablehlo.reshape"(%68) : (tensor<1x512xf32>) -> (tensor<1x512xf32>)
      %71 = "stablehlo.reshape"(%70) : (tensor<1x512xf32>) -> (tensor<512xf32>)
      %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64: 0>}> : (tensor<512xf32>) -> (tensor<512x1xf32>)
      %73 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<512x1xf32>) -> (tensor<512x512xf32>)
      %74 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64: 1>}> : (tensor<512xf32>) -> (tensor<1x512xf32>)
      %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x512xf32>) -> (tensor<512x512xf32>)
      %76 = "stablehlo.multiply"(%73, %75) : (tensor<512x512xf32>, tensor<512x512xf32>) -> (tensor<512x512xf32>)
      %77 = "stablehlo.exponential"(%76) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<512x512xf32>) -> (tensor<512x512xf32>)
      %57 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
      %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<512xf32>)
      %59 = "stablehlo.multiply"(%52, %58) : (tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>)
      %60 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
      %61 = "stablehlo.reduce"(%77, %60) <{dimensions = array<i64: 1>}> ({
      ^bb0(%62: tensor<f32>, %63: tensor<f32>):
        %64 = "stablehlo.add"(%62, %63) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
        "stablehlo.return"(%64) : (tensor<f32>) -> ()
      }) : (tensor<512x512xf32>, tensor<f32>) -> (tensor<512xf32>)
      %65 = "stablehlo.add"(%59, %61) : (tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>)
      %66 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %67 = "stablehlo.add"(%51, %66) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%67, %65) : (tensor<i32>, tensor<512xf32>) -> ()
    }) : (tensor<i32>, tensor<512xf32>) -> (tensor<i32>, tensor<512xf32>)
    "stablehlo.return"(%44) : (tensor<512xf32>) -> ()
  }
  func.func private @dynamic_index_in_dim(%0: tensor<3x512xf32>, %1: tensor<i32>) -> (tensor<512xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.dynamic_slice"(%0, %1, %2) <{slice_sizes = array<i64: 1, 512>}> : (tensor<3x512xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x512xf32>)
    %4 = "stablehlo.reshape"(%3) : (tensor<1x512xf32>) -> (tensor<512xf32>)
    "stablehlo.return"(%4) : (tensor<512xf32>) -> ()
  }
  func.func private @closed_call(%0: tensor<512xf32>, %1: tensor<512xf32>) -> (tensor<512xf32>, tensor<512x512xf32>) {
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0>}> : (tensor<512xf32>) -> (tensor<512x1xf32>)
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<512xf32>) -> (tensor<1x512xf32>)
    %4 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<512x1xf32>) -> (tensor<512x512xf32>)
    %5 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x512xf32>) -> (tensor<512x512xf32>)
    %6 = "stablehlo.multiply"(%4, %5) : (tensor<512x512xf32>, tensor<512x512xf32>) -> (tensor<512x512xf32>)
    %7 = "stablehlo.exponential"(%6) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<512x512xf32>) -> (tensor<512x512xf32>)
    %8 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %9 = "stablehlo.reduce"(%7, %8) <{dimensions = array<i64: 0>}> ({
    ^bb0(%10: tensor<f32>, %11: tensor<f32>):
      %12 = "stablehlo.add"(%10, %11) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%12) : (tensor<f32>) -> ()
    }) : (tensor<512x512xf32>, tensor<f32>) -> (tensor<512xf32>)
    %13 = "stablehlo.add"(%0, %9) : (tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>)
    "stablehlo.return"(%13, %7) : (tensor<512xf32>, tensor<512x512xf32>) -> ()
  }
  func.func private @dynamic_update_index_in_dim(%0: tensor<3x512x512xf32>, %1: tensor<512x512xf32>, %2: tensor<i32>) -> (tensor<3x512x512xf32>) {
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<512x512xf32>) -> (tensor<1x512x512xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %6 = "stablehlo.dynamic_update_slice"(%0, %3, %2, %4, %5) : (tensor<3x512x512xf32>, tensor<1x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<3x512x512xf32>)
    "stablehlo.return"(%6) : (tensor<3x512x512xf32>) -> ()
  }
  func.func private @dynamic_index_in_dim_0(%0: tensor<3x512x512xf32>, %1: tensor<i32>) -> (tensor<512x512xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.dynamic_slice"(%0, %1, %2, %3) <{slice_sizes = array<i64: 1, 512, 512>}> : (tensor<3x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x512x512xf32>)
    %5 = "stablehlo.reshape"(%4) : (tensor<1x512x512xf32>) -> (tensor<512x512xf32>)
    "stablehlo.return"(%5) : (tensor<512x512xf32>) -> ()
  }
  func.func private @closed_call_1(%0: tensor<512xf32>, %1: tensor<512x512xf32>) -> (tensor<512xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<512xf32>)
    %4 = "stablehlo.multiply"(%0, %3) : (tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>)
    %5 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %6 = "stablehlo.reduce"(%1, %5) <{dimensions = array<i64: 1>}> ({
    ^bb0(%7: tensor<f32>, %8: tensor<f32>):
      %9 = "stablehlo.add"(%7, %8) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%9) : (tensor<f32>) -> ()
    }) : (tensor<512x512xf32>, tensor<f32>) -> (tensor<512xf32>)
    %10 = "stablehlo.add"(%4, %6) : (tensor<512xf32>, tensor<512xf32>) -> (tensor<512xf32>)
    "stablehlo.return"(%10) : (tensor<512xf32>) -> ()
  }
}
